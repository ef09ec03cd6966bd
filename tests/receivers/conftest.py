"""These tests need compilers and the page, and nothing of the product."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
