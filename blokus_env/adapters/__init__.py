"""Game-neutral adapters to PettingZoo, Gymnasium and Stable-Baselines3.

They see games through `protocol` alone. Import the module that you need; each loads only its own library:
``aec`` (PettingZoo), ``single`` (Gymnasium), ``sb3`` (Stable-Baselines3), ``testing`` (all of them).
"""
