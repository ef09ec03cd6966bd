"""The chart's tests start no server: they render, and look at what came out."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
