"""Time limits of tests: generous, as other programs may keep the machine busy."""

PATIENCE_S = 240
PATIENCE_MS = 1000 * PATIENCE_S
