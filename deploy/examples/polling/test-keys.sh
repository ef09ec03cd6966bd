#!/usr/bin/env bash
# Test secrets: an API key for a list of your own, and a secret with which you are Stripe yourself. Replace what is in secrets/ before
# real customers pay. What you have put there already is kept.
set -euo pipefail
umask 077
mkdir -p secrets && cd secrets

[[ -e stripe-api ]] || echo "rk_test_$(openssl rand -hex 24)" > stripe-api   # what the poller shows to the list
[[ -e stripe ]] || echo "whsec_$(openssl rand -hex 24)" > stripe             # of the endpoint, where there is one
[[ -e mysql ]] || echo sluice > mysql                                        # the password of the database user
