"""`python -m gainsay`: the command line."""

from gainsay.cli import main

main()
