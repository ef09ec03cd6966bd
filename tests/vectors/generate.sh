#!/usr/bin/env bash
# Makes the vectors anew with the providers' own packages, in a folder that is thrown away. Arguments: recipes, all without.
set -euo pipefail

here=$(cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

packages=(
    standardwebhooks@1.1.1
    svix@1.99.1
    @octokit/webhooks-methods@6.0.0
    @shopify/shopify-api@13.1.0
    square@46.0.0
    razorpay@2.9.8
    @paddle/paddle-node-sdk@3.10.0
    gocardless-nodejs@10.1.2
    mercadopago@3.6.1
    @adyen/api-library@32.1.0
    mollie-api-typescript@1.12.28
    coinbase-commerce-node@1.0.4
)

npm install --prefix "$work" --no-audit --no-fund --silent "${packages[@]}"
cp -r "$here/generate/." "$work/"
cd "$work"
node main.mjs "$here" "$@"
