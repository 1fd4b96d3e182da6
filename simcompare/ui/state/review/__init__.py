"""The teacher's decisions on passages, matches and pairs, with undo."""
