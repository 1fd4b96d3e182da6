"""`python -m simcompare`: the command line, as `simcompare` starts it."""

from simcompare.cli.main import main

if __name__ == "__main__":
    main()
