#!/usr/bin/env bash
# Builds the wheel, installs it without extras in an empty environment, and plays a whole game there through PettingZoo.
set -euo pipefail
cd "$(dirname "$0")/.."
python=${PYTHON:-python3}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$python" -m build --wheel --outdir "$work" . >"$work/build.log" 2>&1 || { cat "$work/build.log"; exit 1; }
"$python" -m venv "$work/venv"
"$work/venv/bin/python" -m pip install --quiet --disable-pip-version-check -c constraints.txt "$work"/blokus_env-*.whl

cd "$work" # away from the clone, so that only the wheel can be imported
venv/bin/python - <<'END'
import importlib.util
import blokus_env

assert "site-packages" in blokus_env.__file__, blokus_env.__file__
for name in ("torch", "stable_baselines3", "matplotlib", "pygame", "ortools", "agents", "scripts"):
    assert importlib.util.find_spec(name) is None, name

env = blokus_env.env("duo")
env.reset(seed=7)
plies = 0
for agent in env.agent_iter():
    observation, reward, termination, truncation, info = env.last()
    action = None if termination or truncation else env.action_space(agent).sample(observation["action_mask"])
    plies += action is not None
    env.step(action)
assert plies > 15, plies
print(f"the wheel alone plays a game of Duo: {plies} plies")
END
venv/bin/blokus-env --help >/dev/null
