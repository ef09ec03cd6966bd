"""What is made from helm/sluice/values.yaml: the schema of values, and the table in the chart's README."""
