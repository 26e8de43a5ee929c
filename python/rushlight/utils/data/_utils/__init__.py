"""What the loader is made of: collating, fetching, workers."""

from . import collate as collate
from . import fetch as fetch
from . import worker as worker
