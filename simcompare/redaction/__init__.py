"""Evidence, cohorts and Word copies with the names of students replaced by pseudonyms."""
