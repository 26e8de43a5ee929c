"""Draws loss curves and pictures into a PNG without a plotting library: the format needs zlib only."""

from __future__ import annotations

import math
import struct
import zlib
from pathlib import Path

import rushlight as torch
from rushlight import Tensor

COLOURS = {"mlp": (31, 119, 180), "cnn": (214, 39, 40)}
ROWS = {
    0: (7, 5, 5, 5, 7), 1: (2, 6, 2, 2, 7), 2: (7, 1, 7, 4, 7), 3: (7, 1, 7, 1, 7), 4: (5, 5, 7, 1, 1),
    5: (7, 4, 7, 1, 7), 6: (7, 4, 7, 5, 7), 7: (7, 1, 1, 2, 2), 8: (7, 5, 7, 5, 7), 9: (7, 5, 7, 1, 7),
}  # fmt: skip


def write_png(path: Path, picture: Tensor) -> None:
    """Write a (height, width, 3) uint8 tensor as a PNG file."""
    height, width, _ = picture.shape
    rows = picture.reshape(height, width * 3).tolist()
    raw = b"".join(b"\0" + bytes(row) for row in rows)

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(raw)) + chunk(b"IEND", b""))


def draw_curve(canvas: Tensor, losses: list[float], colour: tuple[int, int, int]) -> None:
    """Draw the loss of every step over the canvas, smoothed over eight steps, on a log scale from 0.001 to 3."""
    height, width, _ = canvas.shape
    smooth = [sum(losses[max(0, i - 7) : i + 1]) / len(losses[max(0, i - 7) : i + 1]) for i in range(len(losses))]
    for x in range(width):
        loss = smooth[x * (len(smooth) - 1) // max(1, width - 1)]
        share = (math.log10(min(max(loss, 1e-3), 3)) + 3) / (math.log10(3) + 3)
        y = height - 1 - int(share * (height - 1))
        canvas[max(0, y - 1) : y + 1, x] = torch.tensor(colour, dtype=torch.uint8)


def draw_digit(canvas: Tensor, digit: int, scale: int = 4) -> None:
    """Draw a 3 x 5 digit in the upper left corner of the canvas."""
    for y, bits in enumerate(ROWS[digit]):
        for x in range(3):
            if bits >> (2 - x) & 1:
                canvas[y * scale : (y + 1) * scale, x * scale : (x + 1) * scale] = torch.tensor((20, 120, 20), dtype=torch.uint8)


def draw(path: Path, curves: dict[str, list[float]], pictures: Tensor, predictions: list[int]) -> None:
    """One picture: loss curves above, eight samples with the predicted digit beside each below."""
    canvas = torch.full((320, 640, 3), 255, dtype=torch.uint8)
    for y in (20, 90, 160):
        canvas[y, 20:620] = 225
    for name, losses in curves.items():
        draw_curve(canvas[20:200, 20:620], losses, COLOURS[name])
    for i, digit in enumerate(predictions[:8]):
        large = pictures[i, 0].repeat_interleave(7, 0).repeat_interleave(7, 1)
        shade = (255 - 255 * large).to(torch.uint8)
        left = 20 + 76 * i
        canvas[230:286, left : left + 56] = shade.unsqueeze(2).expand(56, 56, 3)
        draw_digit(canvas[290:312, left + 22 : left + 34], digit)
    write_png(path, canvas)
