import os

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")  # no test opens a window
