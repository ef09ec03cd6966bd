#!/usr/bin/env bash
# Makes vectors.json from the bodies in bodies.json, with Stripe's packages in a folder that is thrown away.
set -euo pipefail

here=$(cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

npm install --prefix "$work" --no-audit --no-fund --silent stripe
python3 -m venv "$work/venv"
"$work/venv/bin/pip" --quiet install stripe

cp "$here/sign.mjs" "$work/"
node "$work/sign.mjs" "$here/bodies.json" >"$work/node.json"
"$work/venv/bin/python" "$here/sign.py" "$here/bodies.json" >"$work/python.json"
"$work/venv/bin/python" - "$work/node.json" "$work/python.json" >"$here/vectors.json" <<'PYTHON'
import json
import sys

vectors = [vector for name in sys.argv[1:] for vector in json.load(open(name))]
print(json.dumps(vectors, indent=1))
PYTHON
