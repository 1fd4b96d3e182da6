"""A library as one portable file: a zip archive of entries as JSON lines, with a manifest.

Members: `entries-00001.jsonl` and so on, a document with its tags in each line, and `manifest.json` with
format, version, recipes, and the number of entries and the SHA-256 of each part. Terms and fingerprints are
not in the file: they are computed when it is imported, so that a file cannot bring wrong ones.
"""
