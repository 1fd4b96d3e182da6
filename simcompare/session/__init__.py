"""What a teacher makes of a comparison, as values: decisions, notes, and the sentences they hold on to."""
