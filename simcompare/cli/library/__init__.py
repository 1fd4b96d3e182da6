"""`simcompare library`: documents of past years, one module for each group of commands."""
