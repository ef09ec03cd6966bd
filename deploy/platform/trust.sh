# Inside the platform is trusted what the host trusts: without that, nothing gets past a company's proxy.

host_bundle() {
    local file
    for file in "${SSL_CERT_FILE:-}" /etc/ssl/certs/ca-certificates.crt /etc/pki/tls/certs/ca-bundle.crt; do
        [[ -n $file && -r $file ]] && readlink -f "$file" && return
    done
    return 1
}

# trust_host ROOT: copies the host's certificates into ROOT when they are not those of the last time.
trust_host() {
    local root=$1 bundle stamp folder="$1/usr/local/share/ca-certificates"
    bundle=$(host_bundle) || return 0
    stamp=$(sha256sum <"$bundle")
    [[ $(cat "$root/etc/sluice-trust" 2>/dev/null) == "$stamp" ]] && return
    (
        flock 9
        [[ $(cat "$root/etc/sluice-trust" 2>/dev/null) == "$stamp" ]] && exit
        rm -f "$folder"/host-*.crt
        awk -v folder="$folder" '/-----BEGIN CERT/ {n++; keep = 1}
            keep {print > (folder "/host-" n ".crt")}
            /-----END CERT/ {keep = 0; close(folder "/host-" n ".crt")}' "$bundle"
        chroot "$root" /usr/sbin/update-ca-certificates >/dev/null 2>&1
        printf '%s\n' "$stamp" >"$root/etc/sluice-trust"
    ) 9>"$root.trust.lock"
}
