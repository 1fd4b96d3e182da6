"""The compared file itself, in a copy with its matched sentences highlighted and commented."""
