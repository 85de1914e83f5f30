# ---
# jupyter:
#   jupytext:
#     formats: ipynb,py:percent
#     text_representation:
#       extension: .py
#       format_name: percent
#       format_version: '1.3'
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # First steps
#
# The rules by way of a game, the environments, a minute of training, and how the result plays.
#
# It runs in a clone of the project with the extras `train` and `notebooks`:
# `pip install -e ".[train,notebooks]" -c constraints.txt`.

# %%
import os
import sys
from pathlib import Path

root = next(folder for folder in [Path.cwd(), *Path.cwd().parents] if (folder / "pyproject.toml").exists())
sys.path.insert(0, str(root))  # agents and scripts are used from the clone

MINUTES = float(os.environ.get("NOTEBOOK_MINUTES", "1"))  # of training

# %% [markdown]
# ## A game
#
# A `State` is a running game. In Duo two players put pieces of one to five squares on a board of 14 × 14 cells. The
# first piece of a color covers a start cell, marked by a dot.

# %%
from blokus_env import State

state = State("duo")
state

# %% [markdown]
# `legal_actions()` gives ids; `text` says which cells they cover, `parse` is its inverse. `push` takes either.

# %%
actions = state.legal_actions()
print(len(actions), "first placements of", state.variant.num_squares, "squares in", len(state.left(0)), "pieces")
print(actions[:3], [state.text(action) for action in actions[:3]])
state.push("f9,e10,f10,g10,f11")
state.push("i3,h4,i4,j4,j5")
print(state)

# %% [markdown]
# Every later piece touches an own one at a corner and none along an edge (rule B5). Breaking a rule names it.

# %%
from blokus_env import IllegalActionError

for text in ("h9,h10", "g8,h8", "k1"):
    try:
        state.push(text)
        print(text, "is legal")
        state.pop()
    except IllegalActionError as error:
        print(error)

# %% [markdown]
# A color that cannot place a piece is skipped. When nobody can, the game is over, and each square left in hand costs a
# point. Here is the rest of this game, played by the built-in greedy player against itself. The newest placement has
# dots.

# %%
import numpy as np

from blokus_env.policies import policy

greedy = policy("greedy")
rng = np.random.default_rng(7)
while not state.is_over:
    state.push(greedy.act(state.view(state.player), rng))
print(state.outcome())
state

# %% [markdown]
# All rulesets, with the options that `State` and the environments take:

# %%
from blokus_env.cli import variants_command

variants_command()

# %% [markdown]
# ## Environments
#
# PettingZoo: players act one after another. The observation has a mask of the legal actions.

# %%
from blokus_env import duo_v0

env = duo_v0.env(reward="margin")
env.reset(seed=7)
for agent in env.agent_iter():
    observation, reward, termination, truncation, info = env.last()
    if termination or truncation:
        print(agent, "gets", reward)
    env.step(None if termination or truncation else env.action_space(agent).sample(observation["action_mask"]))

# %% [markdown]
# Gymnasium: one learner, the others are played by the environment.

# %%
import gymnasium

env = gymnasium.make("blokus_env/Duo-v0", opponents="greedy", seat="rotate")
observation, info = env.reset(seed=7)
terminated = truncated = False
while not (terminated or truncated):
    action = env.action_space.sample(info["action_mask"])
    observation, reward, terminated, truncated, info = env.step(action)
print("reward", reward, info["outcome"])

# %% [markdown]
# A batch: many games side by side, stepped by the kernel. This is what training stands on.

# %%
import time

from blokus_env import Batch
from blokus_env.batch import random_word_state

batch = Batch("duo", num_games=1024)
word = random_word_state(7)
batch.step(batch.all_games, batch.random_actions(batch.all_games, word))  # the first call loads the kernels
start, steps = time.perf_counter(), 0
while (running := np.flatnonzero(batch.player >= 0)).size:
    batch.step(running, batch.random_actions(running, word))
    steps += len(running)
print(f"{steps:,} placements in {time.perf_counter() - start:.2f} s")
print("mean score by color:", batch.scores(batch.all_games).mean(axis=0).round(1))

# %% [markdown]
# ## A minute of training
#
# Self-play with MaskablePPO, half of the games against the greedy player. `python -m scripts.train` does the same from
# the command line.

# %%
import tempfile

import torch

from agents.learning import trainer
from agents.learning.config import TrainConfig
from agents.learning.evaluation import as_table

torch.set_num_threads(1)  # best for so small a network
config = TrainConfig(env="duo", amount=MINUTES, evaluations=1, eval_games=20, final_games=100, seed=7)
run = trainer.start(config, Path(tempfile.mkdtemp()), device="cpu", tensorboard=False)
results = run.learn(show=False)
print(f"{run.model.num_timesteps:,} decisions in {run.budget.spent.minutes:.2f} minutes")

# %% [markdown]
# ## How it plays
#
# Each opening of two random plies is played from both seats. `argmax` takes the most probable action, `sampled` draws
# one.

# %%
print(as_table(results, list(config.opponents)))

# %% [markdown]
# And a game of the learner, purple, against random play:

# %%
from agents.policy import PolicyAgent

players = [PolicyAgent(run.folder / "model.zip"), run.game.policy("random")]
position = run.game.new(seed=0)
while not position.is_over:
    position.push(players[position.player].act(position, rng))
position

# %% [markdown]
# Ten minutes on one core make a much better player, and more opponents and larger boards wait: see `README.md`.
