"""`simcompare-gui --self-test`: check that an installed program has all its parts."""
