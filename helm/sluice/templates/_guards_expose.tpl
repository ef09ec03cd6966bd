{{/* Nothing is reachable from outside without TLS unless somebody says so. */}}

{{- define "sluice.guardExpose" -}}
{{- $expose := .Values.expose }}
{{- if not .Values.ingress.enabled }}
{{- include "sluice.guardNoIngress" . }}
{{- end }}
{{- $service := .Values.ingress.service }}
{{- range $key := list "externalTrafficPolicy" "loadBalancerClass" "loadBalancerSourceRanges" }}
{{- $may := ternary (list "LoadBalancer" "NodePort") (list "LoadBalancer") (eq $key "externalTrafficPolicy") }}
{{- if and (get $service $key) (not (has $service.type $may)) }}
{{- fail (printf "ingress.service.%s is set and ingress.service.type is %s: Kubernetes takes it only with %s" $key $service.type (join " or " $may)) }}
{{- end }}
{{- end }}
{{- $listen := dig "listen" "address" "0.0.0.0:8080" .Values.config }}
{{- if and (eq (join "," $service.ipFamilies) "IPv6") (regexMatch "^[0-9.]+:" $listen) }}
{{- fail (printf "ingress.service.ipFamilies is [IPv6] and config.listen.address is %s, where no IPv6 arrives: write \"[::]:8080\", and \"[::]:9090\" for config.operations.address where pods have no IPv4" $listen) }}
{{- end }}
{{- if $expose.ingress.enabled }}
{{- if not $expose.ingress.hosts }}
{{- fail "expose.ingress.hosts must name at least one host" }}
{{- end }}
{{- $covered := list }}
{{- range $expose.ingress.tls }}
{{- $covered = concat $covered (.hosts | default list) }}
{{- end }}
{{- range $expose.ingress.hosts }}
{{- $wildcard := regexReplaceAll "^[^.]+" . "*" }}
{{- if not (or $expose.insecure (has . $covered) (has $wildcard $covered)) }}
{{- fail (printf "expose.ingress.tls has no entry for %s: webhooks would arrive in clear text. Add one, or set expose.insecure: true" .) }}
{{- end }}
{{- end }}
{{- end }}
{{- if $expose.httpRoute.enabled }}
{{- if not $expose.httpRoute.parentRefs }}
{{- fail "expose.httpRoute.parentRefs must name at least one Gateway" }}
{{- end }}
{{- range $index, $parent := $expose.httpRoute.parentRefs }}
{{- if not (or $expose.insecure (get $parent "sectionName")) }}
{{- fail (printf "expose.httpRoute.parentRefs[%d] has no sectionName: without it the route is on listeners without TLS too. Name the HTTPS listener, or set expose.insecure: true" $index) }}
{{- end }}
{{- end }}
{{- end }}
{{- if $expose.httpRoute.enabled }}
{{- include "sluice.guardBackendTLS" $ }}
{{- end }}
{{- if or $expose.ingress.enabled $expose.httpRoute.enabled }}
{{- include "sluice.guardPaths" $ }}
{{- end }}
{{- end }}

{{/* A Gateway speaks clear text to its backends unless it is told otherwise, and every webhook would be a 502 or 503. */}}
{{- define "sluice.guardBackendTLS" -}}
{{- $behind := .Values.expose.httpRoute.backendTLS }}
{{- $isTls := eq (include "sluice.tlsOn" (dig "listen" "tls" dict .Values.config)) "true" }}
{{- if and $isTls (not $behind.mode) }}
{{- fail "config.listen.tls is on, but a Gateway speaks clear text to a Service: set expose.httpRoute.backendTLS.mode: policy, or other if you configure the Gateway yourself" }}
{{- end }}
{{- if and $behind.mode (not $isTls) }}
{{- fail (printf "expose.httpRoute.backendTLS.mode is %s, but config.listen.tls is off: the Gateway would speak TLS to pods that do not" $behind.mode) }}
{{- end }}
{{- if and (eq $behind.mode "policy") (not $behind.hostname) }}
{{- fail "expose.httpRoute.backendTLS.hostname must be a name in the certificate of config.listen.tls" }}
{{- end }}
{{- end }}

{{- define "sluice.guardPaths" -}}
{{- range .Values.config.sources }}
{{- if not (hasKey . "poll") }}
{{- $path := get . "path" | default (printf "/v1/webhooks/%s" .name) }}
{{- $led := false }}
{{- range $.Values.expose.paths }}
{{- $led = or $led (eq . $path) (hasPrefix (printf "%s/" (trimSuffix "/" .)) $path) }}
{{- end }}
{{- if not $led }}
{{- fail (printf "config.sources: %s of %s cannot be reached from outside, because none of expose.paths leads there" $path .name) }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}

{{/* What would need the pods that ingress.enabled: false leaves out. */}}
{{- define "sluice.guardNoIngress" -}}
{{- range .Values.config.sources }}
{{- if not (hasKey . "poll") }}
{{- fail (printf "ingress.enabled is false, but source %s has no poll: nothing would take its webhooks in. Give it poll, or set ingress.enabled: true" .name) }}
{{- end }}
{{- end }}
{{- range $what, $on := dict "expose.ingress.enabled" .Values.expose.ingress.enabled "expose.httpRoute.enabled" .Values.expose.httpRoute.enabled "selftest.enabled" .Values.selftest.enabled }}
{{- if $on }}
{{- fail (printf "%s is true and ingress.enabled is false: it needs the ingress. Set one of the two otherwise" $what) }}
{{- end }}
{{- end }}
{{- end }}
