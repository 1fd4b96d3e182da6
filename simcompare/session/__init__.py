"""Sessions: the teacher's decisions on a set of documents, and the files that hold them. No Qt.

A `.simcompare` file is a zip archive of these members, in this order:

    session.json                the format, and everything but the documents
    documents/0001/facts.json   of each document, in the order of the list: its file and how it was read
    documents/0001/text.txt     its text, UTF-8; missing if it could not be read or has not been read yet
    documents/0001/boxes.bin    the places of its characters, only for formats with fixed pages
    prompt/facts.json ...       the same for the file whose sentences are excluded, if there is one
    scores/facts.json           what the scores of the pairs belong to, if they were known
    scores/columns.bin          the scores themselves

session.json: `format` ("simcompare session"), `format_version`, `saved` (UTC), `documents` (their number),
`left` and `right` (numbers of the documents side by side, from 0, or null), `settings` (ComparisonSettings
by name, with `passages` and its `summary` or null, and `left_out` as a list of `digest` and `text`),
`reviews` (of pairs of documents: `left`, `right`, `overall`, `matches` and `passages` with the keys of
decisions.py), `layout` (`cell`, `page`, `splitters`, `order`), `file` (the session file that unsaved work
belongs to, or null), `pseudonyms` (`secret` and `owners`, or null), `school_class` (`roles` chosen for
documents as [number, role], `rosters` with `path` and `students`, `limit` from which pairs are unusual or
null, and as they were found: `students` with `documents` and their `roles`, `missing` students). Each owner
has `number`, `student` with `names` and `numbers` or null, `files` as paths, `listed` (whether the student is
on the teacher's list) and `former` (earlier numbers); owners are in the order of their numbers.

facts.json: `path` (as it was, with slashes), `whole_page`, `pasted` (`text` and `is_html`, of a text without
a file), and either `title`, `sha256`, `size_bytes`, `receipt` (see receipt.py) and `blocks` ([kind, start,
end, paragraph, page or null], offsets in code points of the text) and `notes` ([place, start, end] of their
text) and `formulas` ([start, end]), or `error` (its `kind` in errors.py and its `values`), or none of these.
Passwords are never written.

boxes.bin, for n characters, little-endian: n int32 pages, then n float32 each of x0, y0, x1, y1.

scores/facts.json: `stamp` and `figures_stamp` (digests of the program and the settings, see
cohort/sessions/), `texts` (a digest of each document's prepared text, "" without one), `common` (sentences
with `digest`, `text` and `documents`), and the lengths of the columns (`pairs`, `cells`, `passages`,
`sentences`). columns.bin: the columns of SavedScores (class_data.py), little-endian, in the order of
`_shapes` in score_part.py. Scores with another stamp, of another text or with values out of bounds are not
used: the pairs are scored again. Recovery copies have none.

Version 2 added the `passages` of reviews: an older program would lose the decisions on them.

Two files of the same session differ only in `saved`. A program reads every `format_version` up to its own and
refuses later ones. A new member of an object needs no new version if older programs may ignore it; a new
value of an enumeration does. Nothing is pickled, and all sizes, counts, types, spans and words are checked.
"""
