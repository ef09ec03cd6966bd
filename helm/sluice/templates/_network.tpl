{{/* Rules of NetworkPolicies. */}}

{{/* (list addresses default): JSON list of ports, each once. "host:1", "redis://host:1/0" and "host" are addresses. */}}
{{- define "sluice.portsOf" -}}
{{- $ports := list }}
{{- $default := index . 1 }}
{{- range index . 0 }}
{{- $port := . | regexFind ":[0-9]+(/.*)?$" | trimPrefix ":" | regexFind "^[0-9]+" }}
{{- $ports = append $ports (int64 ($port | default $default)) }}
{{- end }}
{{- $ports | uniq | toJson }}
{{- end }}

{{/* (list $ "part" "kafka"): ports of a server, from the policy's values or else from what the part reads */}}
{{- define "sluice.serverPorts" -}}
{{- $server := index . 2 }}
{{- $given := (get (index . 0).Values.networkPolicy.egress $server).ports }}
{{- if $given }}{{ toJson $given }}
{{- else }}
{{- $ports := include "sluice.portsIn" (list (include "sluice.config" (list (index . 0) (index . 1)) | fromYaml) $server) | fromJsonArray }}
{{- with ternary (include "sluice.ctlCommands" (index . 0) | fromYaml) dict (eq (index . 1) "ctl") }}
{{- if hasKey . $server }}{{ $ports = concat $ports (include "sluice.portsIn" (list . $server) | fromJsonArray) }}{{ end }}
{{- end }}
{{- $ports | uniq | toJson }}
{{- end }}
{{- end }}

{{/* (list config "kafka"): JSON list of the ports of a server, in one file */}}
{{- define "sluice.portsIn" -}}
{{- $config := index . 0 }}
{{- $server := index . 1 }}
{{- if eq $server "kafka" }}{{ include "sluice.portsOf" (list $config.kafka.brokers 9092) }}
{{- else if eq $server "redis" }}{{ include "sluice.portsOf" (list (dig "redis" "urls" list $config) 6379) }}
{{- else if eq $server "mysql" }}{{ list (dig "mysql" "port" 3306 $config | int64) | toJson }}
{{- else if dig "tracing" "endpoint" "" $config }}
{{- $default := ternary 443 80 (hasPrefix "https:" $config.tracing.endpoint) }}
{{- include "sluice.portsOf" (list (list $config.tracing.endpoint) $default) }}
{{- else }}[]
{{- end }}
{{- end }}

{{/* (list $ "part" (list "kafka" …)): the policy of a part that talks to these servers */}}
{{- define "sluice.egress" -}}
{{- $root := index . 0 }}
{{- $part := index . 1 -}}
- ports:
    {{- range $root.Values.networkPolicy.egress.dns.ports }}
    - {port: {{ . }}, protocol: UDP}
    - {port: {{ . }}, protocol: TCP}
    {{- end }}
  {{- with $root.Values.networkPolicy.egress.dns.to }}
  to:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- range $server := index . 2 }}
{{- $ports := include "sluice.serverPorts" (list $root $part $server) | fromJsonArray }}
{{- if $ports }}
- ports:
    {{- range $ports }}
    - {port: {{ . | int64 }}, protocol: TCP}
    {{- end }}
  {{- with (get $root.Values.networkPolicy.egress $server).to }}
  to:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end }}
{{- end }}
{{- with $root.Values.networkPolicy.egress.extra }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/* (dict "root" $ "part" "ingress" "servers" list "into" list "out" list "annotations" dict): `into` are rules for who may come in,
     `out` more ways out; no server at all: nowhere out, not even to DNS, but where egress.extra says */}}
{{- define "sluice.networkPolicy" -}}
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  {{- include "sluice.metadata" (list .root .part (printf "-%s" .part) .annotations) | nindent 2 }}
spec:
  podSelector:
    matchLabels:
      {{- include "sluice.selector" (list .root .part) | nindent 6 }}
  policyTypes: [Ingress, Egress]
  {{- with concat (.into | default list) .root.Values.networkPolicy.ingress.extra }}
  ingress:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- if .servers }}
  egress:
    {{- include "sluice.egress" (list .root .part .servers) | nindent 4 }}
    {{- with .out }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  {{- else if .root.Values.networkPolicy.egress.extra }}
  egress:
    {{- toYaml .root.Values.networkPolicy.egress.extra | nindent 4 }}
  {{- end }}
{{- end }}

{{/* The ways of messages to those destinations that are URLs, one rule each. */}}
{{- define "sluice.toDestinations" -}}
{{- range $name, $destination := .Values.config.destinations }}
{{- with include "sluice.urlOf" $destination }}
{{- $way := get $.Values.relay.egress $name | default dict }}
{{- $of := include "sluice.portsOf" (list (list (urlParse .).host) (ternary 443 80 (hasPrefix "https:" .))) | fromJsonArray }}
- ports:
    {{- range get $way "ports" | default $of }}
    - {port: {{ . | int64 }}, protocol: TCP}
    {{- end }}
  {{- with get $way "to" }}
  to:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end }}
{{- end }}
{{- end }}

{{/* The ways of calls to the services that execute them, and of their queries: one rule for each command. */}}
{{- define "sluice.toServices" -}}
{{- range $command := .Values.config.commands }}
{{- with get $command "call" }}
{{- $way := get $.Values.command.egress (get $command "name") | default dict }}
{{- $ports := list }}
{{- range compact (list (get . "url") (get (get . "query" | default dict) "url")) }}
{{- $ports = concat $ports (include "sluice.portsOf" (list (list (urlParse .).host) (ternary 443 80 (hasPrefix "https:" .))) | fromJsonArray) }}
{{- end }}
- ports:
    {{- range get $way "ports" | default $ports | uniq }}
    - {port: {{ . | int64 }}, protocol: TCP}
    {{- end }}
  {{- with get $way "to" }}
  to:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end }}
{{- end }}
{{- end }}

{{/* The way of the poller, to the providers' lists or to the proxies before them. */}}
{{- define "sluice.toProviders" -}}
{{- $ports := list }}
{{- range .Values.config.sources }}
{{- $poll := get . "poll" }}
{{- if kindIs "map" $poll }}
{{- $url := get $poll "proxy" | default (get $poll "url") | default "https://" }}
{{- $ports = concat $ports (include "sluice.portsOf" (list (list (urlParse $url).host) (ternary 443 80 (hasPrefix "https:" $url))) | fromJsonArray) }}
{{- end }}
{{- end }}
- ports:
    {{- range .Values.poller.egress.ports | default $ports | uniq }}
    - {port: {{ . | int64 }}, protocol: TCP}
    {{- end }}
  {{- with .Values.poller.egress.to }}
  to:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end }}

{{/* (list "port" sources): one rule; no source: everybody */}}
{{- define "sluice.into" -}}
ports: [{port: {{ index . 0 }}, protocol: TCP}]
{{- with index . 1 }}
from:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{/* The way out of whoever sends webhooks from inside. */}}
{{- define "sluice.toIngress" -}}
ports: [{port: {{ include "sluice.port" (list . "ingress" "webhooks") }}, protocol: TCP}]
to: [{podSelector: {matchLabels: {{ include "sluice.selector" (list . "ingress") | fromYaml | toJson }}}}]
{{- end }}
