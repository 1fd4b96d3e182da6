"""Library: documents of past years in one database, and the search for what a text shares with them.

store/ defines the tables and opens the database; adding.py, tagging.py, removing.py and entries.py change and
list its entries; search/ finds the entries that a text has passages in common with, class_search.py those of
a class; transfer/ writes and reads a library as one file; checking.py finds what is damaged.

Every statement runs on SQLite and on PostgreSQL alike, but for those of store/backends/. Each
change is one transaction that begins by changing the only row of `state`, so that writers wait for each
other, and no process ever sees half an entry.
"""
