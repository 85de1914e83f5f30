"""A trained model as an agent: `PolicyAgent("runs/duo/model.zip")`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import torch as th
from gymnasium import spaces
from numpy.typing import NDArray
from stable_baselines3.common.save_util import load_from_zip_file
from stable_baselines3.common.utils import get_device

from agents.learning.policies import PlacementPolicy
from blokus_env.adapters.protocol import BatchPosition, Game, Observation
from blokus_env.game import BlokusGame

CHUNK = 512  # samples evaluated at once, which bounds the memory


class PolicyAgent:
    """Plays by a saved model: its most probable action, or (`deterministic=False`) one drawn from its probabilities.

    Model files hold pickled Python objects: load only those that you trust.
    """

    def __init__(
        self,
        model: str | Path | PlacementPolicy,
        deterministic: bool = True,
        device: str = "auto",
        name: str | None = None,
    ):
        self.policy = model if isinstance(model, PlacementPolicy) else load_policy(Path(model), device)
        self.policy.set_training_mode(False)
        self.deterministic = deterministic
        source = "model" if isinstance(model, PlacementPolicy) else str(model)
        self.name = name or source + ("" if deterministic else ":sampled")

    def check(self, game: Game) -> None:
        """Raise ValueError unless the model was trained for this game."""
        layout = self.policy.layout
        if (layout.game, layout.num_actions) != (game.name, game.num_actions):
            raise ValueError(
                f'agent "{self.name}" was trained for {layout.game} with {layout.num_actions} actions, '
                f"not for {game.name} with {game.num_actions}"
            )
        space = game.observation_space
        shapes = {name: part.shape for name, part in space.spaces.items()} if isinstance(space, spaces.Dict) else None
        trained = {"board": (layout.num_planes, layout.height, layout.width), "pieces": (layout.vector_size,)}
        if shapes is not None and shapes != trained:
            raise ValueError(
                f'agent "{self.name}" was trained for another number of players or other options of {game.name}: '
                f"it sees {trained}, the game shows {shapes}"
            )

    def act(self, view: Any, rng: np.random.Generator) -> int:
        """An action of the player to move in `view`."""
        board, pieces = self._inputs(self._observe(view), batched=False)
        return int(self._choose(board, pieces, view.legal_actions()[None], rng)[0])

    def act_batch(self, batch: BatchPosition, games: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int32]:
        """Actions int32[k] of the players to move in `games` int64[k]."""
        board, pieces = self._inputs(batch.observe(games), batched=True)
        ids = batch.legal_ids(games)
        parts = [slice(start, start + CHUNK) for start in range(0, len(games), CHUNK)]
        chosen = [self._choose(board[part], pieces[part], ids[part], rng) for part in parts]
        return np.concatenate(chosen) if chosen else np.zeros(0, np.int32)

    def probabilities(self, view: Any) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
        """Legal actions int32[n] in `view` and their probabilities float32[n]."""
        board, pieces = self._inputs(self._observe(view), batched=False)
        ids = view.legal_actions()
        return ids, self._probabilities(board, pieces, ids[None])[0]

    def _observe(self, view: Any) -> Observation:
        """What the player to move sees; a view that has no observation itself is played again in its game."""
        if hasattr(view, "observe"):
            observation: Observation = view.observe(view.player)
            return observation
        position = BlokusGame(view.variant, view.start, view.scoring, observation="compact").new()
        for action in view.actions:
            position.push(action)
        return position.observe(view.player)

    def _choose(
        self, board: NDArray[Any], pieces: NDArray[Any], ids: NDArray[np.int32], rng: np.random.Generator
    ) -> NDArray[np.int32]:
        """Actions int32[k] for observations and padded legal ids int32[k, K]."""
        probs = self._probabilities(board, pieces, ids)
        if self.deterministic:
            place = probs.argmax(1)
        else:
            cumulative = probs.cumsum(1)
            draw = rng.random((len(probs), 1)) * cumulative[:, -1:]
            place = np.minimum((cumulative <= draw).sum(1), (ids >= 0).sum(1) - 1)
        chosen: NDArray[np.int32] = ids[np.arange(len(ids)), place]
        return chosen

    def _probabilities(self, board: NDArray[Any], pieces: NDArray[Any], ids: NDArray[np.int32]) -> NDArray[np.float32]:
        """Probabilities float32[k, K] of the legal ids, 0 where padded."""
        device = self.policy.device
        obs = {"board": th.as_tensor(board, device=device), "pieces": th.as_tensor(pieces, device=device)}
        with th.no_grad():
            distribution = self.policy.get_distribution(obs, ids)
        probs: NDArray[np.float32] = distribution.distribution.log_probs.exp().cpu().numpy()
        return probs

    def _inputs(self, observation: Observation, batched: bool) -> tuple[NDArray[Any], NDArray[Any]]:
        """Board uint8[k, C, H, W] and vector uint8[k, V], from a compact observation or from planes."""
        if isinstance(observation, dict):
            board, pieces = observation["board"], observation["pieces"]
        else:  # planes: those of the board, then the vector as constant planes
            planes = self.policy.layout.num_planes
            board, pieces = observation[..., :planes, :, :], observation[..., planes:, 0, 0]
        return (board, pieces) if batched else (board[None], pieces[None])


def load_policy(path: Path, device: str = "auto") -> PlacementPolicy:
    """The policy alone out of a model that MaskablePPO saved; no buffers, no optimizer state."""
    resolved = get_device(device)
    data, params, _ = load_from_zip_file(str(path), device=resolved)
    if data is None or not issubclass(data["policy_class"], PlacementPolicy):
        raise ValueError(f"{path} holds no placement policy")
    policy: PlacementPolicy = data["policy_class"](
        data["observation_space"], data["action_space"], lambda _: 0.0, **data["policy_kwargs"]
    )
    weights: Any = params["policy"]
    policy.load_state_dict(weights)
    return policy.to(resolved)
