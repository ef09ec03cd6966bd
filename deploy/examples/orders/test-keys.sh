#!/usr/bin/env bash
# Test keys, with which you are the providers yourself: `sluicectl send` signs with them. Replace what is in secrets/ before
# real customers pay. What you have put there already is kept.
set -euo pipefail
umask 077
mkdir -p secrets && cd secrets

for who in alipay wechat; do
    [[ -e $who.pub.pem ]] && continue
    openssl genrsa -out $who.key.pem 2048 2> /dev/null
    openssl rsa -in $who.key.pem -pubout -out $who.pub.pem 2> /dev/null
done
if [[ ! -e unionpay-ca.pem ]]; then
    openssl req -x509 -newkey rsa:2048 -nodes -days 30 -subj /CN=ca -keyout unionpay-ca.key.pem -out unionpay-ca.pem 2> /dev/null
    openssl req -newkey rsa:2048 -nodes -subj '/CN=041@Z12@00040000:SIGN@00000001' -keyout unionpay.key.pem -out unionpay.csr 2> /dev/null
    openssl x509 -req -in unionpay.csr -CA unionpay-ca.pem -CAkey unionpay-ca.key.pem -days 30 -out unionpay.pem 2> /dev/null
fi
[[ -e wechat-v3 ]] || openssl rand -hex 16 > wechat-v3
[[ -e stripe ]] || echo "whsec_$(openssl rand -hex 24)" > stripe
[[ -e shipping ]] || echo "whsec_$(openssl rand -base64 32)" > shipping   # signs messages to the shipping service
[[ -e mysql ]] || echo sluice > mysql                                     # the password of the database user
