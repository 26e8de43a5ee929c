"""SummaryWriter: curves, images and histograms for TensorBoard, through the tensorboardX package."""

from .writer import SummaryWriter as SummaryWriter

__all__ = ["SummaryWriter"]
