"""Add and search with a Dask cluster (optional packages dask, distributed and pyarrow).

Workers read files, which they reach by the same paths as the program that gives the tasks. They do not
connect to the library: what they have read is handed over in Parquet files in a shared folder, and merged by
the program.
"""
