"""Filling shapes with pixels: NumPy would take a tenth of a second for a building."""
# mypy: disallow-untyped-decorators=False, disallow-untyped-defs=False, disallow-incomplete-defs=False
# mypy: check-untyped-defs=False

import numpy as np
from numba import njit


@njit(cache=True)
def fill_polygon(canvas, points, color):
    """Fill a convex polygon, float64 [n, 2] of (x, y), into uint8 [height, width, 3]; `color` is uint8 [3]."""
    height, width, _ = canvas.shape
    n = len(points)
    area = 0.0
    for i in range(n):
        j = (i + 1) % n
        area += points[i, 0] * points[j, 1] - points[j, 0] * points[i, 1]
    turn = 1.0 if area >= 0 else -1.0
    top, bottom = max(0, int(points[:, 1].min())), min(height - 1, int(points[:, 1].max()))
    for row in range(top, bottom + 1):
        low, high = 0.5, width - 0.5  # the span of pixel centers that are on the inner side of all edges
        for i in range(n):
            j = (i + 1) % n
            dx, dy = points[j, 0] - points[i, 0], points[j, 1] - points[i, 1]
            if dy == 0.0:
                if turn * dx * (row + 0.5 - points[i, 1]) < 0:
                    high = low - 1.0
                continue
            x = points[i, 0] + dx * (row + 0.5 - points[i, 1]) / dy
            if turn * dy > 0:
                high = min(high, x)
            else:
                low = max(low, x)
        for column in range(int(np.ceil(low - 0.5)), int(np.floor(high - 0.5)) + 1):
            canvas[row, column] = color


@njit(cache=True)
def fill_disc(canvas, x, y, radius, color):
    """Fill a disc round (x, y) into uint8 [height, width, 3]; `color` is uint8 [3]."""
    height, width, _ = canvas.shape
    for row in range(max(0, int(y - radius)), min(height - 1, int(y + radius)) + 1):
        for column in range(max(0, int(x - radius)), min(width - 1, int(x + radius)) + 1):
            if (row + 0.5 - y) ** 2 + (column + 0.5 - x) ** 2 <= radius**2:
                canvas[row, column] = color


@njit(cache=True)
def shrink(canvas, factor, out):
    """The mean of factor × factor pixels into each of `out`, uint8 [height, width, 3]."""
    height, width, _ = out.shape
    number = factor * factor
    for row in range(height):
        for column in range(width):
            for channel in range(3):
                total = np.int64(number // 2)
                for i in range(factor):
                    for j in range(factor):
                        total += np.int64(canvas[row * factor + i, column * factor + j, channel])
                out[row, column, channel] = total // number
