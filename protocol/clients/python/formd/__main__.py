"""`python -m formd METHOD [PARAMS]`: makes one call, and prints its result as JSON."""

import sys

from formd import main

sys.exit(main())
