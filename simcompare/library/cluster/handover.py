"""Parquet files in which workers hand over what they have read.

Each batch of files has a folder, with two files for each library that entries go to:

- `0-entries.parquet`: `place` (of the file in the batch), `columns` and `fingerprints` as in `NewEntry`.
- `0-terms.parquet`: `gram` and `row` (of the entry in the other file), sorted; row group r has the r-th of
  16 equal ranges of all terms, so that batches are merged range by range, in the order of the table of terms.

Neither has tags, and so no names of students but those in the texts.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simcompare.library.new_entry import NewEntry
from simcompare.library.store.stored_numbers import SignedHashes

TERM_RANGES = 16
_SMALLEST, _RANGE = -(2**63), 2**64 // TERM_RANGES
_BOUNDS = np.array([_SMALLEST + _RANGE * number for number in range(1, TERM_RANGES)], np.int64)
_NO_TERMS: SignedHashes = np.zeros(0, np.int64)


@dataclass(frozen=True, slots=True)
class HandedEntries:
    """Entries for one library, in two files. count: number of them."""

    entries: Path
    terms: Path
    count: int

    def read(self) -> Iterator[tuple[int, NewEntry]]:
        """Yield each entry, with neither terms nor tags, and the place of its file in the batch."""
        import pyarrow.parquet as pq  # noqa: PLC0415 - an optional package

        for row in pq.read_table(self.entries).to_pylist():
            yield row["place"], NewEntry(row["columns"], row["fingerprints"], _NO_TERMS, ())

    def terms_in(self, number: int) -> tuple[SignedHashes, NDArray[np.int64]]:
        """Return the terms of a range, and the row of the entry of each; shape (n,) each."""
        import pyarrow.parquet as pq  # noqa: PLC0415 - an optional package

        table = pq.ParquetFile(self.terms).read_row_group(number)
        return table["gram"].to_numpy(), table["row"].to_numpy().astype(np.int64)

    def delete(self) -> None:
        """Delete the files."""
        for path in (self.entries, self.terms):
            path.unlink(missing_ok=True)


def hand_over(folder: Path, library: int, entries: Sequence[tuple[int, NewEntry]]) -> HandedEntries:
    """Write entries, each with the place of its file in the batch, for the library with this number."""
    import pyarrow as pa  # noqa: PLC0415 - an optional package
    import pyarrow.parquet as pq  # noqa: PLC0415

    rows = [
        {"place": place, "columns": new.columns, "fingerprints": new.fingerprints} for place, new in entries
    ]
    handed = HandedEntries(
        folder / f"{library}-entries.parquet", folder / f"{library}-terms.parquet", len(rows)
    )
    # the texts in it are compressed already
    pq.write_table(pa.Table.from_pylist(rows), handed.entries, compression="none")
    grams = np.concatenate([_NO_TERMS, *(new.terms for _, new in entries)])
    owners = np.repeat(np.arange(len(entries), dtype=np.int32), [len(new.terms) for _, new in entries])
    order = np.lexsort((owners, grams))
    _write_terms(handed.terms, grams[order], owners[order])
    return handed


def _write_terms(path: Path, grams: SignedHashes, owners: NDArray[np.int32]) -> None:
    """Write sorted terms with a row group for each range, also for one without terms."""
    import pyarrow as pa  # noqa: PLC0415 - an optional package
    import pyarrow.parquet as pq  # noqa: PLC0415

    schema = pa.schema([("gram", pa.int64()), ("row", pa.int32())])
    settings: dict[str, Any] = {
        "use_dictionary": False,
        "column_encoding": {"gram": "DELTA_BINARY_PACKED", "row": "DELTA_BINARY_PACKED"},
        "compression": "none",
    }
    bounds = [0, *np.searchsorted(grams, _BOUNDS).tolist(), len(grams)]
    with pq.ParquetWriter(path, schema, **settings) as writer:
        for first, end in pairwise(bounds):
            part = [pa.array(grams[first:end]), pa.array(owners[first:end])]
            writer.write_table(pa.Table.from_arrays(part, schema=schema), row_group_size=max(1, end - first))
