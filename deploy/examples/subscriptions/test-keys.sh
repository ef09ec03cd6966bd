#!/usr/bin/env bash
# Test secrets, with which you are Stripe yourself: `sluicectl send` signs with them. Replace what is in secrets/ before real
# customers pay. What you have put there already is kept.
set -euo pipefail
umask 077
mkdir -p secrets && cd secrets

[[ -e stripe ]] || echo "whsec_$(openssl rand -hex 24)" > stripe
[[ -e mail ]] || echo "whsec_$(openssl rand -base64 32)" > mail   # signs messages to the mail service
[[ -e mysql ]] || echo sluice > mysql                             # the password of the database user
