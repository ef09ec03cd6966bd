"""The style tests start nothing: they read the tree."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
