#!/usr/bin/env bash
# Makes the vectors of the recipes named (all of them without names) anew, with the providers' packages in a folder that is thrown away.
set -euo pipefail

here=$(cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
recipes=("$@")
((${#recipes[@]})) || recipes=(adyen alipay wechat_pay braintree paypal unionpay)

npm install --prefix "$work" --no-audit --no-fund --silent @adyen/api-library@32.1.0 alipay-sdk@4.14.0 \
    wechatpay-node-v3@2.2.1 wechatpay-axios-plugin@0.9.6 braintree@3.40.0
python3 -m venv "$work/signing"
"$work/signing/bin/pip" --quiet install cryptography==50.0.2
# The archived PayPal package calls what later versions of pyOpenSSL no longer have.
python3 -m venv "$work/asking"
"$work/asking/bin/pip" --quiet install wechatpayv3==2.0.4 paypalrestsdk==1.13.3 pyOpenSSL==23.2.0

cp -R "$here"/generate/. "$work/"
cd -- "$work"
export ASKING_PYTHON="$work/asking/bin/python"
"$work/signing/bin/python" rsa_generate.py "$here" "${recipes[@]}"
