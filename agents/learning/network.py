"""The convolutional network: a trunk over the board, a head that rates placements, and a value.

The head is that of an image with a plane for each orientation, read at the placements' origins; it is computed for the
placements asked about alone, which are a hundredth of the image.
"""

from __future__ import annotations

import torch as th
from torch import nn
from torch.nn import functional as F

from agents.learning.layout import BoardLayout


class PlacementNetwork(nn.Module):
    """Rates the placements `actions` of the samples `rows`, int64[L] each, as the mover sees the board.

    `forward(board: uint8[B, C, H, W], pieces: uint8[B, V], rows, actions)` gives logits float32[L] and values
    float32[B, 1].
    """

    color_view: th.Tensor
    cell_index: th.Tensor

    def __init__(self, layout: BoardLayout, channels: int = 32, blocks: int = 3, value_units: int = 64):
        super().__init__()
        self.colors = layout.colors
        self.trunk = Trunk(layout, channels, blocks)
        self.head = PlacementHead(layout, channels)
        self.value = ValueHead(channels + layout.vector_size, value_units)
        self.register_buffer("color_view", th.from_numpy(layout.color_view), persistent=False)
        self.register_buffer("cell_index", th.from_numpy(layout.cell_index), persistent=False)

    def forward(
        self, board: th.Tensor, pieces: th.Tensor, rows: th.Tensor, actions: th.Tensor
    ) -> tuple[th.Tensor, th.Tensor]:
        """Logits of the placements and values of the samples."""
        cells, vector, view = self.encode(board, pieces)
        return self.head(cells, vector, view, rows, actions), self.value(cells, vector)

    def encode(self, board: th.Tensor, pieces: th.Tensor) -> tuple[th.Tensor, th.Tensor, th.Tensor]:
        """Features float32[B, cells, channels], the vector float32[B, V] and the view int64[B]."""
        view = self.color_view[pieces[:, self.colors].argmax(1)]
        cells = board.flatten(2).transpose(1, 2)  # [B, cells, C]: channels vary fastest, as the convolutions like it
        if len(self.cell_index) > 1:
            cells = cells.gather(1, self.cell_index[view].unsqueeze(2).expand(-1, -1, cells.shape[2]))
        vector = pieces.float()
        return self.trunk(cells.float(), vector), vector, view


class Trunk(nn.Module):
    """A 3x3 stem, to which the vector is added in each cell, and residual 3x3 convolutions."""

    def __init__(self, layout: BoardLayout, channels: int, blocks: int):
        super().__init__()
        self.size = (layout.height, layout.width)
        self.stem = nn.Conv2d(layout.num_planes, channels, 3, padding=1)
        self.vector = nn.Linear(layout.vector_size, channels)
        self.blocks = nn.ModuleList(nn.Conv2d(channels, channels, 3, padding=1) for _ in range(blocks))
        for block in self.blocks:
            assert isinstance(block, nn.Conv2d)
            nn.init.kaiming_normal_(block.weight, nonlinearity="relu")
            block.weight.data *= 0.5  # keeps the sum over residual blocks small

    def forward(self, cells: th.Tensor, vector: th.Tensor) -> th.Tensor:
        """From float32[B, cells, C] and float32[B, V] to float32[B, cells, channels]."""
        image = cells.view(len(cells), *self.size, -1).permute(0, 3, 1, 2)  # [B, C, H, W] in channels-last memory
        image = th.relu(self.stem(image) + self.vector(vector)[:, :, None, None])
        for block in self.blocks:
            image = th.relu(image + block(image))
        return image.permute(0, 2, 3, 1).flatten(1, 2)


class PlacementHead(nn.Module):
    """A placement's logit is the sum of three terms.

    A linear map of the features at its origin and one of the vector, both with weights for each orientation; and the
    *shape term*: one learned map summed over the placement's cells, and another summed over its corner cells (two such
    maps for each kind of cell).
    """

    orientation: th.Tensor  # int64[views * A]
    origin_cell: th.Tensor  # int64[views * A]
    footprint: th.Tensor  # int64[views * A, k]

    def __init__(self, layout: BoardLayout, channels: int):
        super().__init__()
        self.num_actions = layout.num_actions
        self.origin = nn.Linear(channels, layout.num_orientations)
        self.vector = nn.Linear(layout.vector_size, layout.num_orientations)
        self.maps = nn.Linear(channels, layout.num_maps)
        for linear in (self.origin, self.vector, self.maps):
            linear.weight.data *= 0.1  # near uniform play at first
            nn.init.zeros_(linear.bias)
        orientation, row, column = th.from_numpy(layout.placements()).flatten(0, 1).unbind(1)
        self.register_buffer("orientation", orientation.contiguous(), persistent=False)
        self.register_buffer("origin_cell", row * layout.width + column, persistent=False)
        self.register_buffer("footprint", th.from_numpy(layout.footprints()).flatten(0, 1), persistent=False)

    def forward(
        self, cells: th.Tensor, vector: th.Tensor, view: th.Tensor, rows: th.Tensor, actions: th.Tensor
    ) -> th.Tensor:
        """Logits float32[L] of `actions` int64[L] in the samples `rows` int64[L]."""
        placements = view.index_select(0, rows) * self.num_actions + actions
        orientation = self.orientation.index_select(0, placements)
        origin = rows * cells.shape[1] + self.origin_cell.index_select(0, placements)
        features: th.Tensor = cells.flatten(0, 1).index_select(0, origin)  # [L, channels]
        logits: th.Tensor = (features * self.origin.weight.index_select(0, orientation)).sum(1)
        logits = logits + self.origin.bias.index_select(0, orientation)
        by_orientation: th.Tensor = self.vector(vector)  # [B, orientations]
        logits = logits + by_orientation.flatten().index_select(0, rows * by_orientation.shape[1] + orientation)
        return logits + self._shape_term(cells, rows, placements)

    def _shape_term(self, cells: th.Tensor, rows: th.Tensor, placements: th.Tensor) -> th.Tensor:
        """The maps summed over the footprint of each placement, float32[L]."""
        padded: th.Tensor = F.pad(self.maps(cells), (0, 0, 0, 1))  # the last cell, beyond the board, is 0
        maps = padded.flatten(1)  # [B, maps * (cells + 1)]
        index = self.footprint.index_select(0, placements) + rows[:, None] * maps.shape[1]
        return maps.flatten().index_select(0, index.flatten()).view(index.shape).sum(1)


class ValueHead(nn.Module):
    """The value from the mean of the features and the vector."""

    def __init__(self, inputs: int, units: int):
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(inputs, units), nn.ReLU(), nn.Linear(units, units), nn.ReLU(), nn.Linear(units, 1)
        )

    def forward(self, cells: th.Tensor, vector: th.Tensor) -> th.Tensor:
        """Values float32[B, 1]."""
        values: th.Tensor = self.layers(th.cat([cells.mean(1), vector], 1))
        return values
