"""python3 -m deploy.chart [check]: see `./run chart --help`."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from deploy.chart import schema, table
from deploy.chart.values import read

CHART = Path(os.environ["SLUICE_TREE"]) / "helm" / "sluice"


def generated(chart: Path) -> dict[Path, str]:
    """What each file ought to hold."""
    root = read(chart / "values.yaml")
    readme = chart / "README.md"
    return {chart / "values.schema.json": schema.text_of(root), readme: table.put_into(readme.read_text(), root)}


def main() -> int:
    stale = {file: text for file, text in generated(CHART).items() if not file.exists() or file.read_text() != text}
    for file, text in stale.items():
        print(f"{file.relative_to(CHART.parents[1])} {'differs: ./run chart writes it' if sys.argv[1:] else 'written'}")
        if not sys.argv[1:]:
            file.write_text(text)
    return 1 if stale and sys.argv[1:] else 0


if __name__ == "__main__":
    sys.exit(main())
