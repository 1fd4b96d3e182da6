"""Library: documents of past years in one database, and the search for what a text shares with them.

store/ defines the tables and opens the database; changes.py and entries.py change, check and list
its entries; search/ finds the entries that a text has passages in common with, class_search.py those of a
class; transfer.py writes and reads a library as one file.

Every statement runs on SQLite and on PostgreSQL alike, but for those of store/backends.py. Each
change is one transaction that begins by changing the only row of `state`, so that writers wait for each
other, and no process ever sees half an entry.
"""
