#!/usr/bin/env bash
# Test secrets, and a list of hot merchants with one in it. Replace what is in secrets/ before real merchants pay. What you have put
# there already is kept.
set -euo pipefail
umask 077
[[ -e hot-merchants.txt ]] || echo merchant-1 > hot-merchants.txt
mkdir -p secrets && cd secrets

[[ -e ads ]] || echo "whsec_$(openssl rand -base64 24)" > ads   # the caller signs with it
[[ -e mysql ]] || echo sluice > mysql                           # the password of the database user
