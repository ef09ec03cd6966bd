#!/usr/bin/env bash
# Test secrets, with which you are Stripe and Adyen yourself: `sluicectl send` signs with them. Replace what is in secrets/
# before real customers pay. What you have put there already is kept.
set -euo pipefail
umask 077
mkdir -p secrets && cd secrets

for endpoint in stripe-north stripe-north-2 stripe-south; do
    [[ -e $endpoint ]] || echo "whsec_$(openssl rand -hex 24)" > $endpoint
done
[[ -e adyen-east ]] || openssl rand -hex 32 > adyen-east
[[ -e sellers ]] || echo "whsec_$(openssl rand -base64 32)" > sellers   # signs messages to the service that tells sellers
[[ -e mysql ]] || echo sluice > mysql                                   # the password of the database user
