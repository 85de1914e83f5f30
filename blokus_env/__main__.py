"""`python -m blokus_env`: the same as the `blokus-env` command."""

from blokus_env.cli import main

if __name__ == "__main__":
    main()
