{{/* Names and labels. */}}

{{- define "sluice.name" -}}
{{ default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" }}
{{- end }}

{{/* Short enough for what is put behind it: "-consumer-operations". */}}
{{- define "sluice.fullname" -}}
{{- $name := default .Chart.Name .Values.nameOverride }}
{{- $full := ternary .Release.Name (printf "%s-%s" .Release.Name $name) (contains $name .Release.Name) }}
{{- default $full .Values.fullnameOverride | trunc 42 | trimSuffix "-" }}
{{- end }}

{{/* What never changes: Deployments cannot change their selector. (list $ "part") */}}
{{- define "sluice.selector" -}}
{{- $root := index . 0 -}}
app.kubernetes.io/name: {{ include "sluice.name" $root }}
app.kubernetes.io/instance: {{ $root.Release.Name }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end }}

{{/* metadata of an object: (list $ "part" "-suffix of the name" annotations) */}}
{{- define "sluice.metadata" -}}
{{- $root := index . 0 -}}
{{- $annotations := merge (dict) (index . 3 | default dict) $root.Values.commonAnnotations -}}
name: {{ include "sluice.fullname" $root }}{{ index . 2 }}
namespace: {{ $root.Release.Namespace }}
labels:
  {{- include "sluice.labels" (list $root (index . 1)) | nindent 2 }}
{{- with $annotations }}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{/* Of a pod: nothing that changes with the chart's version, since that alone shall not make pods anew. */}}
{{- define "sluice.podLabels" -}}
{{ include "sluice.selector" . }}
app.kubernetes.io/part-of: sluice
{{- with (index . 0).Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- define "sluice.labels" -}}
{{- $root := index . 0 -}}
{{ include "sluice.podLabels" . }}
app.kubernetes.io/version: {{ $root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ $root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" $root.Chart.Name $root.Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}
{{- end }}

{{/* (list $ "part"): the ServiceAccount of the part's pods */}}
{{- define "sluice.accountName" -}}
{{- $root := index . 0 }}
{{- $account := (index $root.Values (index . 1)).serviceAccount }}
{{- $made := printf "%s-%s" (include "sluice.fullname" $root) (index . 1) }}
{{- default (ternary $made "default" $account.create) $account.name }}
{{- end }}

{{/* metadata of that ServiceAccount: (list $ "part" annotations) */}}
{{- define "sluice.accountMetadata" -}}
{{- $metadata := include "sluice.metadata" (list (index . 0) (index . 1) "" (index . 2)) | fromYaml }}
{{- toYaml (set $metadata "name" (include "sluice.accountName" .)) }}
{{- end }}

{{/* JSON list of the Deployments, the ingress as a StatefulSet among them. */}}
{{- define "sluice.deployments" -}}
{{- $parts := ternary (list "ingress" "consumer") (list "consumer") .Values.ingress.enabled }}
{{- $parts = ternary (append $parts "retry") $parts .Values.retry.enabled }}
{{- $parts = ternary (append $parts "relay") $parts (eq (include "sluice.relaysApart" .) "true") }}
{{- $parts = ternary (append $parts "poller") $parts (eq (include "sluice.polls" .) "deployment") }}
{{- $parts = ternary (append $parts "command") $parts .Values.command.enabled }}
{{- ternary (append $parts "booker") $parts (eq (include "sluice.booksApart" .) "true") | toJson }}
{{- end }}

{{/* "true" where commands of hot accounts are booked by pods of their own. Without them those of sluice-command do that too. */}}
{{- define "sluice.booksApart" -}}
{{- if and .Values.command.enabled .Values.booker.enabled }}true{{ end }}
{{- end }}

{{/* "true" where messages have pods of their own. Consumers with all roles send them too. */}}
{{- define "sluice.relaysApart" -}}
{{- if and .Values.config.destinations .Values.relay.enabled .Values.retry.enabled }}true{{ end }}
{{- end }}

{{/* JSON list of all that run programs on their own: the Deployments, and the poller as a CronJob. */}}
{{- define "sluice.parts" -}}
{{- $parts := include "sluice.deployments" . | fromJsonArray }}
{{- ternary (append $parts "poller") $parts (eq (include "sluice.polls" .) "cronjob") | toJson }}
{{- end }}

{{/* poller.mode where a source has `poll`, else nothing. */}}
{{- define "sluice.polls" -}}
{{- $polled := list }}
{{- range .Values.config.sources }}
{{- if hasKey . "poll" }}{{ $polled = append $polled .name }}{{ end }}
{{- end }}
{{- if and $polled (ne .Values.poller.mode "none") }}{{ .Values.poller.mode }}{{ end }}
{{- end }}

{{/* (list $ "part"): "true" for whoever sends messages */}}
{{- define "sluice.sends" -}}
{{- if eq (index . 1) (ternary "relay" "consumer" (index . 0).Values.retry.enabled) }}true{{ end }}
{{- end }}

{{/* JSON list of those with a configuration of their own (`config` of the part, or a spill, of which no other program knows). */}}
{{- define "sluice.withOwnConfig" -}}
{{- $parts := list }}
{{- range $part := include "sluice.parts" . | fromJsonArray }}
{{- $spills := and (eq $part "ingress") (include "sluice.spills" $) }}
{{- if or (get $.Values $part).config $spills }}{{ $parts = append $parts $part }}{{ end }}
{{- end }}
{{- toJson $parts }}
{{- end }}

{{/* (list $ "part" "" or "-check"): the ConfigMap that it mounts */}}
{{- define "sluice.configMap" -}}
{{- $versioned := without (include "sluice.deployments" (index . 0) | fromJsonArray) "ingress" }}
{{- if and (has (index . 1) $versioned) (not (index . 2)) }}
{{- include "sluice.configVersion" . }}
{{- else }}
{{- $ofCronJob := and (eq (index . 1) "poller") (not (index . 2)) }}
{{- $own := or $ofCronJob (has (index . 1) (include "sluice.withOwnConfig" (index . 0) | fromJsonArray)) }}
{{- printf "%s%s%s" (include "sluice.fullname" (index . 0)) (index . 2) (ternary (printf "-%s" (index . 1)) "" $own) }}
{{- end }}
{{- end }}

{{/* (list $ "part"): JSON list of its arguments: which roles it has */}}
{{- define "sluice.roleArgs" -}}
{{- $roles := dict "consumer" (ternary "main" "both" (index . 0).Values.retry.enabled) "retry" "retry" "relay" "relay" }}
{{- if include "sluice.booksApart" (index . 0) }}{{ $roles = merge $roles (dict "command" "serve" "booker" "book") }}{{ end }}
{{- with get $roles (index . 1) }}{{ list "--role" . | toJson }}{{ else }}[]{{ end }}
{{- end }}

{{/* (list $ "component" "suffix" annotations "part"): a ConfigMap with the whole configuration of the part */}}
{{- define "sluice.wholeConfigMap" -}}
apiVersion: v1
kind: ConfigMap
metadata:
  {{- include "sluice.metadata" (list (index . 0) (index . 1) (index . 2) (index . 3)) | nindent 2 }}
data:
  sluice.yaml: |
    {{- include "sluice.config" (list (index . 0) (index . 4)) | nindent 4 }}
{{- end }}
