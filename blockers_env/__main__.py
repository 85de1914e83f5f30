"""`python -m blockers_env`: the same as the `blockers-env` command."""

from blockers_env.cli import main

if __name__ == "__main__":
    main()
