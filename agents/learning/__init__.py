"""Parts for training a policy with sb3-contrib's MaskablePPO: network, distribution, buffers, advantages, callbacks."""
