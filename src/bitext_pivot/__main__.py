"""`python -m bitext_pivot`: the command `bitext-pivot`."""

import sys

from bitext_pivot.commands.main import main

if __name__ == "__main__":
    sys.exit(main())
