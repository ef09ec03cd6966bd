"""python3 -m deploy.dashboards: writes helm/sluice/dashboards/NAME.json of every NAME.yaml here. A test compares."""

from __future__ import annotations

from deploy.dashboards.grafana import TARGET, as_text, definitions


def main() -> None:
    TARGET.mkdir(parents=True, exist_ok=True)
    for definition in definitions():
        (TARGET / f"{definition.stem}.json").write_text(as_text(definition))


if __name__ == "__main__":
    main()
