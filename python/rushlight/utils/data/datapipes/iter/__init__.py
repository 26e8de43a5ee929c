"""Steps of streams."""

from ._combining import (
    Concater as Concater,
    Demultiplexer as Demultiplexer,
    Forker as Forker,
    Multiplexer as Multiplexer,
    Zipper as Zipper,
)
from ._steps import (
    Batcher as Batcher,
    Collator as Collator,
    FileLister as FileLister,
    FileOpener as FileOpener,
    Filter as Filter,
    Grouper as Grouper,
    IterableWrapper as IterableWrapper,
    Mapper as Mapper,
    Sampler as Sampler,
    ShardingFilter as ShardingFilter,
    Shuffler as Shuffler,
    StreamReader as StreamReader,
    UnBatcher as UnBatcher,
)

__all__ = [
    "Batcher",
    "Collator",
    "Concater",
    "Demultiplexer",
    "FileLister",
    "FileOpener",
    "Filter",
    "Forker",
    "Grouper",
    "IterableWrapper",
    "Mapper",
    "Multiplexer",
    "Sampler",
    "ShardingFilter",
    "Shuffler",
    "StreamReader",
    "UnBatcher",
    "Zipper",
]
