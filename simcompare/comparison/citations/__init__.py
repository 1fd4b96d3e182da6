"""How a text names the sources of what it takes from others."""
