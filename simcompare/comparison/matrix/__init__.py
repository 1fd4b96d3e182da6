"""The comparison matrix, its thesaurus stage, and the classification of its cells by thresholds."""
