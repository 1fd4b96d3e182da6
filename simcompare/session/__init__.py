"""What a teacher made of a set of documents, as values without a window, and the files that keep it.

A `.simcompare` file is a zip of these members, which stand in this order:

    session.json                what it is, and everything but the documents
    documents/0001/facts.json   of each document in the list's order: where it came from and what became of it
    documents/0001/text.txt     its text, UTF-8; missing where it could not be read or was not read yet
    documents/0001/boxes.bin    where its characters stand, only where the format has pages and places
    prompt/facts.json ...       the same for the file whose sentences are excluded, where there is one

session.json: `format` ("simcompare session"), `format_version`, `saved` (UTC), `documents` (how many), `left`
and `right` (which stand on the two sides, from 0, or null), `settings` (ComparisonSettings by name, with
`passages` and its `summary` or null), `reviews` (of pairs of documents: `left`, `right`, `overall`, `matches`
with the keys of review.py), `layout` (`cell`, `page`, `splitters`, `order`), `file` (the session file that
unsaved work belongs to, or null), `pseudonyms` (`secret`, and of `owners` in the order of their numbers
`number`, `student` with `names` and `numbers` or null, `files` as paths, `listed`: whether a list has them,
`former`: numbers they had before; null where none were made).

facts.json: `path` (as it was, with slashes), `whole_page`, `pasted` (`text` and `is_html`, of what was in no
file), and either `title`, `sha256`, `size_bytes`, `receipt` (as receipt.py has it) and `blocks` ([kind,
start, end, paragraph, page or null], code points of the text), or `error` (its `kind` in errors.py and its
`values`), or none of them. No password is ever written.

boxes.bin, for n characters, little-endian: n int32 pages, then n float32 each of x0, y0, x1, y1.

The same session gives the same bytes but for `saved`. A reader takes every `format_version` up to its own and
refuses a later one; a new member of an object that older programs may pass over needs no new version, a new
word where they know a list of words does. Nothing is pickled, and nothing in a file is believed: sizes,
counts, types, spans and words are all checked.
"""
