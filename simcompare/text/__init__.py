"""Document -> comparable units, sentences and words; the thesaurus."""
