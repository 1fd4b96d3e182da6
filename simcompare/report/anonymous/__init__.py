"""What reports and tables are made from, and annotated Word files, with pseudonyms in place of names."""
