"""Search for words in both texts of a pair."""
