"""Render modes, and a window that shows pictures."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

RENDER_MODES = ("ansi", "rgb_array", "human")
RENDER_FPS = 2


class Window:
    """Shows one picture after another. Needs pygame-ce; without a screen set SDL_VIDEODRIVER=dummy."""

    def __init__(self, caption: str, fps: int) -> None:
        self._pygame = _import_pygame()
        self._pygame.display.init()
        self._fps = 0 if self._pygame.display.get_driver() == "dummy" else fps  # 0: don't wait
        self._caption = caption
        self._clock = self._pygame.time.Clock()
        self._screen: Any = None

    def show(self, picture: NDArray[np.uint8]) -> None:
        """Show uint8[height, width, 3] and wait as long as the frame rate wants."""
        pygame = self._pygame
        size = (picture.shape[1], picture.shape[0])
        if self._screen is None or self._screen.get_size() != size:
            self._screen = pygame.display.set_mode(size)
            pygame.display.set_caption(self._caption)
        pygame.surfarray.blit_array(self._screen, picture.swapaxes(0, 1))
        pygame.event.pump()
        pygame.display.flip()
        self._clock.tick(self._fps)

    def close(self) -> None:
        """Close the window."""
        self._pygame.display.quit()
        self._screen = None


def check_render_mode(render_mode: str | None) -> None:
    """Raise ``ValueError`` unless `render_mode` is None or one of `RENDER_MODES`."""
    if render_mode is not None and render_mode not in RENDER_MODES:
        raise ValueError(f"render_mode={render_mode!r} is unknown; choose None or one of {', '.join(RENDER_MODES)}")


def _import_pygame() -> Any:
    try:
        import pygame
    except ImportError as error:
        raise ImportError('render_mode="human" needs pygame: pip install pygame-ce') from error
    return pygame
