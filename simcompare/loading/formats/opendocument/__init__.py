"""Reader of OpenDocument texts."""
