"""Web pages and HTML documents."""
