"""Detection of passages: groups of similar sentences that are close to each other in both texts."""
