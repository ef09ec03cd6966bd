#: chart [check]    writes what is generated of helm/sluice: values.schema.json and the table in README.md
#:
#: Both come from the commented helm/sluice/values.yaml. `check` only says whether they are as they should be (exit 1 when not).
#: Builds helm and kubeconform, which tests/chart uses, when they are not there yet.

need_tools || exit
inside python3 -m deploy.chart "$@"
