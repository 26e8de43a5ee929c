"""What the loader is made of: collating, fetching, workers."""

from . import collate as collate, fetch as fetch, worker as worker
