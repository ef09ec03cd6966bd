#!/bin/sh
# charge.sh URL KEY BODY: sends charge-click as the caller ads, whose secret is in SECRET.
set -eu
target=/v1/commands/charge-click key="\"$2\"" body=$3
id=req_$(openssl rand -hex 16) at=$(date +%s)
secret=$(printf %s "${SECRET#whsec_}" | base64 -d | od -An -v -tx1 | tr -d ' \n')
signature=$(printf '%s.%s.POST %s\n%s\n%s' "$id" "$at" "$target" "$key" "$body" |
    openssl dgst -sha256 -mac HMAC -macopt "hexkey:$secret" -binary | base64)
curl --silent --show-error --include --max-time 10 "$1$target" --data-binary "$body" \
    -H 'Content-Type: application/json' -H "Idempotency-Key: $key" -H 'Sluice-Caller: ads' \
    -H "webhook-id: $id" -H "webhook-timestamp: $at" -H "webhook-signature: v1,$signature"
