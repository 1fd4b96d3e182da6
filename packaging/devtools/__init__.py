"""What dev.py is made of: setting up, checking, translating, with the standard library alone."""
