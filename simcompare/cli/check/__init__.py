"""`simcompare check`: compare the essays of a class."""
