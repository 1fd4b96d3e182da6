"""The database of a library: tables, migrations, and opening it."""
