"""The first room: a file's bytes become a Document, with a receipt of what was kept and dropped.

`load_document` reads a file, `sniff` tells its format from its bytes, and `ReaderPool` reads in child
processes that can be stopped.
"""

from simcompare.loading.load import load_document
from simcompare.loading.sniffing import sniff
from simcompare.loading.workers.isolation import ReaderPool

__all__ = ["ReaderPool", "load_document", "sniff"]
