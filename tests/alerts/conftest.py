"""The alert tests start no server: rules, pages and dashboards are read, and promtool evaluates rules on made-up series."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
