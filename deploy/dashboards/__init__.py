"""Grafana dashboards, written down as rows of panels and made into the JSON that the chart carries."""
