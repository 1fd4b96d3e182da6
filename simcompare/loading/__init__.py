"""Loading: convert a file's bytes to a Document, with a receipt of the text kept and dropped.

`load_document` reads a file, `sniff` detects its format from its bytes, and `ReaderPool` reads files in
child processes that can be stopped.
"""

from simcompare.loading.load import load_document
from simcompare.loading.sniffing import sniff
from simcompare.loading.workers.isolation import ReaderPool

__all__ = ["ReaderPool", "load_document", "sniff"]
