"""Speed and size of everything, beside other environments measured in the same run: `python -m scripts.benchmark`.

CPU time of this process on one core, best and median of five after a warm-up. Names of rows, V being a ruleset:

* `random_games/V`  whole uniformly random games inside the kernel
* `batched/V`       1,024 games in lockstep with immediate reset, actions drawn inside the kernel, which writes nothing
  (no list of legal actions is made); `batched_packed/V` writes packed action masks after each step, `batched_dense/V`
  dense ones, `batched_packed_obs/V` and `batched_dense_obs/V` masks and the compact observation
* `state/V`         `State.legal_actions` and `State.push`, called from Python; `push/V` and `legal_actions/V` are one
  of them
* `aec/V`           the raw PettingZoo environment, the action drawn from the mask of `observe(agent)`; `aec_ids/V`
  draws it from `legal_actions(agent)` and makes no observation, `aec_last/V` does too and also calls `last()`
* `vector/V`        the Gymnasium vector environment, 1,024 games against random opponents, masks as ids;
  `vector_1_threads/V` and `vector_2_threads/V` the same in wall-clock time, with so many threads
* `sample/A`        drawing one of A actions, some 300 of them legal, by logits over ids: rows per second
* `bytes/V`, `masks/V`, `games_65536/V`  memory: a game's state; the masks of a rollout of 2,048 × 8 decisions; 65,536
  games with packed masks and compact observations
* `tables/V`, `tables_build/V`, `tables_load/V`  a ruleset's tables: megabytes in memory, seconds to build them and to
  load them from the cache
* `import`, `first_use/V`  seconds in a new process with a warm cache
* `peer/NAME`       other environments in exactly the loop of `aec/V`, where they are installed; `peer_games/NAME` whole
  games in that loop, `peer_sample/A` and `peer_masks/V` sb3-contrib's distribution and rollout buffer
* `numpy`           a fixed NumPy loop, by which machines may be compared
"""
