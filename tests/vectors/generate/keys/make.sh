#!/usr/bin/env bash
# Makes the keys and certificates of the RSA vectors, once: what is committed stays, or every vector changes. Needs OpenSSL 3.4.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")"

CA=$'basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign,cRLSign\nsubjectKeyIdentifier=hash'
LEAF=$'basicConstraints=critical,CA:FALSE\nkeyUsage=critical,digitalSignature\nsubjectKeyIdentifier=hash'
FROM=20250101000000Z
UNTIL=20450101000000Z

key() { openssl genrsa -traditional -out "$1.key.pem" 2048 2>/dev/null; }

# certificate NAME KEY SUBJECT ISSUER ISSUER_KEY DIGEST EXTENSIONS [FROM UNTIL]; an issuer "-" means the key signs itself.
certificate() {
    local issuer=(-CA "$4.pem" -CAkey "$5.key.pem")
    [[ $4 == - ]] && issuer=(-signkey "$5.key.pem")
    openssl req -new -utf8 -key "$2.key.pem" -subj "$3" |
        openssl x509 -req "${issuer[@]}" -set_serial "0x51$(printf %s "$1" | sha1sum | cut -c1-38)" "-$6" -extfile <(printf '%s\n' "$7") \
            -not_before "${8:-$FROM}" -not_after "${9:-$UNTIL}" -out "$1.pem" 2>/dev/null
}

for name in signer next stranger root intermediate other; do key "$name"; done

certificate wechat_platform signer '/C=CN/O=Tenpay.com/CN=Tenpay.com Test Sign' - signer sha256 "$LEAF"
certificate wechat_platform_next next '/C=CN/O=Tenpay.com/CN=Tenpay.com Test Sign' - next sha256 "$LEAF"
certificate alipay_certificate signer '/C=CN/O=Test Alipay/CN=Test Alipay RSA2' - signer sha256 "$LEAF"

paypal() { certificate "paypal_$1" "$2" "/C=US/O=Test PayPal/$3" "paypal_$4" "$5" "${6:-sha256}" "$LEAF" "${@:7}"; }
NAME=CN=messageverificationcerts.sandbox.paypal.com
certificate paypal_root root '/O=Test Public CA/CN=Test Public Root' - root sha256 "$CA"
certificate paypal_intermediate intermediate '/O=Test Public CA/CN=Test Public Intermediate' paypal_root root sha256 "$CA"
certificate paypal_other_root other '/O=Test Public CA/CN=Test Public Root' - other sha256 "$CA"
certificate paypal_old_intermediate intermediate '/O=Test Public CA/CN=Test Public Intermediate' paypal_root root sha256 "$CA" 20200101000000Z 20260101000000Z
paypal leaf signer "$NAME" intermediate intermediate
paypal direct signer "$NAME" root root
paypal renewed next "$NAME" root root
paypal no_dot signer CN=messageverificationpaypal.com root root
paypal longer signer CN=messageverificationcerts.paypal.com.example root root
paypal two_names signer CN=certs.paypal.com/CN=certs.example root root
paypal in_organisation signer 'OU=CN=certs.paypal.com/CN=certs.example' root root
paypal expired signer "$NAME" root root sha256 20240101000000Z 20260101000000Z
paypal early signer "$NAME" root root sha256 20270101000000Z 20450101000000Z
paypal other_chain signer "$NAME" other_root other
paypal below_leaf stranger "$NAME" direct signer
paypal sha1 signer "$NAME" root root sha1
certificate paypal_self_signed signer "/C=US/O=Test PayPal/$NAME" - signer sha256 "$LEAF"

union() { certificate "union_$1" "$2" "/C=CN/O=Test CA OCA1/$3" "union_$4" "$5" sha1 "$LEAF" "${@:6}"; }
NAME='CN=041@8310000000083040@中国银联股份有限公司@00016495'
certificate union_root root '/C=CN/O=Test CA/CN=Test CS CA' - root sha1 "$CA"
certificate union_intermediate intermediate '/C=CN/O=Test CA OCA1/CN=Test OCA1' union_root root sha1 "$CA"
certificate union_other_root other '/C=CN/O=Test CA OCA1/CN=Test OCA1' - other sha1 "$CA"
union leaf signer "$NAME" intermediate intermediate
union direct signer "$NAME" root root
union renewed next "$NAME" intermediate intermediate
union merchant stranger 'CN=041@Z777290058110048@测试商户有限公司@00000001' intermediate intermediate
union fourth stranger 'CN=041@Z777290058110048@测试商户@中国银联股份有限公司' intermediate intermediate
union longer stranger 'CN=041@Z777290058110048@中国银联股份有限公司北京客户@00000001' intermediate intermediate
union two_parts stranger 'CN=041@中国银联股份有限公司' intermediate intermediate
union two_names stranger "CN=041@Z777290058110048@测试商户有限公司@00000001/$NAME" intermediate intermediate
union in_unit stranger "OU=$NAME/CN=041@Z777290058110048@测试商户有限公司@00000001" intermediate intermediate
union expired signer "$NAME" intermediate intermediate 20240101000000Z 20260101000000Z
union early signer "$NAME" intermediate intermediate 20270101000000Z 20450101000000Z
union other_ca signer "$NAME" other_root other
union below_merchant other "$NAME" merchant stranger
certificate union_self_signed signer "/C=CN/O=Test CA OCA1/$NAME" - signer sha1 "$LEAF"
