{{/* What `helm test` needs of the configuration. */}}

{{- define "sluice.selftestSource" -}}
name: selftest
recipe: standard-webhooks
principal: sluice-selftest
keys:
  - id: selftest
    value: {file: "/run/secrets/{{ .Values.selftest.secretName }}/{{ .Values.selftest.secretKey }}"}
{{- end }}

{{/* Applied twice, the second row would be refused and the event dead. */}}
{{- define "sluice.selftestEffect" -}}
name: selftest
when: {source: selftest}
insert: {table: sluice_selftest, row: {event: ":event_id"}}
{{- end }}

{{/* Where everything is denied that no policy allows, the test could not leave its pod. */}}
{{- define "sluice.selftestPolicy" -}}
{{- $send := include "sluice.toIngress" . | fromYaml }}
{{- with .Values.selftest.url }}
{{- $port := include "sluice.portsOf" (list (list .) (ternary 443 80 (hasPrefix "https:" .))) | fromJsonArray | first | int64 }}
{{- $send = dict "ports" (list (dict "port" $port "protocol" "TCP")) }}
{{- end }}
{{- include "sluice.networkPolicy" (dict "root" . "part" "selftest" "servers" (list "mysql") "out" (list $send)) }}
{{- end }}

{{- define "sluice.guardSelftest" -}}
{{- if .Values.selftest.enabled }}
{{- if not .Values.selftest.secretName }}
{{- fail "selftest.secretName must name a Secret with the signing key" }}
{{- end }}
{{- if and (include "sluice.tlsOn" (dig "listen" "tls" dict .Values.config)) (not .Values.selftest.url) }}
{{- fail "selftest.url must be given if sluice terminates TLS itself: its certificate does not name the Service" }}
{{- end }}
{{- range .Values.config.effects }}
{{- $when := get . "when" | default dict }}
{{- $provider := get $when "provider" | default list }}
{{- $providers := ternary $provider (list $provider) (kindIs "slice" $provider) }}
{{- if not (get $when "source") }}
{{- if or (not $providers) (has "standard-webhooks" $providers) }}
{{- fail (printf "selftest.enabled: effect %s would act on test events too: set when.source in it" .name) }}
{{- end }}
{{- end }}
{{- end }}
{{- range .Values.config.sources }}
{{- if or (eq .name "selftest") (eq (get . "principal" | default "") "sluice-selftest") }}
{{- fail (printf "selftest.enabled: source %s has the name or principal that the self-test uses" .name) }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}
