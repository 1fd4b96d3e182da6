"""Compare documents sentence by sentence, and show what they share and why."""
