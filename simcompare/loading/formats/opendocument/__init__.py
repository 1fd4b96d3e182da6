"""Reader of OpenDocument texts (.odt, .ott, .fodt, .sxw)."""
