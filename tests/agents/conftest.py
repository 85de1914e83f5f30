import torch as th

th.set_num_threads(1)  # more are slower for networks and batches so small
