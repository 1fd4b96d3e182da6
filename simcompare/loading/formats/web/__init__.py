"""Reader of web pages and HTML documents (.html, .mhtml)."""
