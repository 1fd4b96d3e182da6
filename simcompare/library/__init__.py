"""Library: documents of past years in one database, and the search for what a text shares with them.

store/ defines the tables and opens the database; adding.py, removing.py and entries.py change and list its
entries; search/ finds the entries that a text has passages in common with.

Every statement runs on SQLite and on PostgreSQL alike, but for those of store/backends/. Each
change is one transaction that begins by changing the only row of `state`, so that writers wait for each
other, and no process ever sees half an entry.
"""
