"""Steps of streams."""

from ._combining import Concater as Concater
from ._combining import Demultiplexer as Demultiplexer
from ._combining import Forker as Forker
from ._combining import Multiplexer as Multiplexer
from ._combining import Zipper as Zipper
from ._steps import Batcher as Batcher
from ._steps import Collator as Collator
from ._steps import FileLister as FileLister
from ._steps import FileOpener as FileOpener
from ._steps import Filter as Filter
from ._steps import Grouper as Grouper
from ._steps import IterableWrapper as IterableWrapper
from ._steps import Mapper as Mapper
from ._steps import Sampler as Sampler
from ._steps import ShardingFilter as ShardingFilter
from ._steps import Shuffler as Shuffler
from ._steps import StreamReader as StreamReader
from ._steps import UnBatcher as UnBatcher

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
