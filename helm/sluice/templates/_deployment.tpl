{{/* Deployments of all programs. */}}

{{/* probe: (list path values) */}}
{{- define "sluice.probe" -}}
{{- toYaml (merge (dict "httpGet" (dict "path" (index . 0) "port" "operations")) (index . 1)) }}
{{- end }}

{{/* (dict "root" $ "part" "ingress" "program" "sluice-ingress" "image" … "serves" "webhooks" or nothing "scaled" bool) */}}
{{- define "sluice.deployment" -}}
{{- $root := .root }}
{{- $values := index .root.Values .part }}
{{- $part := list .root .part }}
{{- $pod := include "sluice.podValues" $part | fromYaml }}
{{- $annotations := $pod.deploymentAnnotations | default dict }}
{{- if ne .part "ingress" }}
{{- with include "sluice.configVersionsBefore" $part | fromJsonArray }}
{{- $annotations = merge (dict "sluice/config-versions" (join "," .)) $annotations }}
{{- end }}
{{- end }}
apiVersion: apps/v1
kind: Deployment
metadata:
  {{- include "sluice.metadata" (list $root .part (printf "-%s" .part) $annotations) | nindent 2 }}
spec:
  {{- if not .scaled }}
  replicas: {{ $values.replicas }}
  {{- end }}
  revisionHistoryLimit: 5
  {{- if and (ne .part "ingress") (eq $root.Values.migrate.mode "job") }}
  {{- /* They are not ready before the migration is done. */}}
  progressDeadlineSeconds: {{ add 600 (int64 $root.Values.migrate.activeDeadlineSeconds) }}
  {{- end }}
  minReadySeconds: {{ int64 $values.minReadySeconds }}
  strategy:
    type: RollingUpdate
    rollingUpdate: {maxSurge: {{ toJson $values.maxSurge }}, maxUnavailable: 0}
  selector:
    matchLabels:
      {{- include "sluice.selector" $part | nindent 6 }}
  template:
    {{- include "sluice.podTemplate" . | nindent 4 }}
{{- end }}

{{/* (the same dict, and "volume": one of the pod's own, where it has one) */}}
{{- define "sluice.podTemplate" -}}
{{- $root := .root }}
{{- $values := index .root.Values .part }}
{{- $part := list .root .part }}
{{- $pod := include "sluice.podValues" $part | fromYaml -}}
metadata:
  {{- include "sluice.podMetadata" $part | nindent 2 }}
spec:
  serviceAccountName: {{ include "sluice.accountName" $part }}
  {{- include "sluice.placement" $part | nindent 2 }}
  terminationGracePeriodSeconds: {{ int64 $values.terminationGracePeriodSeconds }}
  {{- with $pod.extraInitContainers }}
  initContainers:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  containers:
    - name: {{ .part }}
      image: {{ include "sluice.image" (list $root .image) | quote }}
      imagePullPolicy: {{ $root.Values.image.pullPolicy }}
      command: [/usr/bin/{{ .program }}]
      {{- with include "sluice.roleArgs" $part | fromJsonArray }}
      args: {{ toJson . }}
      {{- end }}
      ports:
        {{- with .serves }}
        - {name: {{ . }}, containerPort: {{ include "sluice.port" (list $root $.part .) }}, protocol: TCP}
        {{- end }}
        - {name: operations, containerPort: {{ include "sluice.port" (list $root .part "operations") }}, protocol: TCP}
      {{- include "sluice.environment" $part | nindent 6 }}
      {{- include "sluice.containerSecurity" $part | nindent 6 }}
      {{- with $values.resources }}
      resources:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      startupProbe:
        {{- include "sluice.probe" (list "/livez" $values.startupProbe) | nindent 8 }}
      livenessProbe:
        {{- include "sluice.probe" (list "/livez" $values.livenessProbe) | nindent 8 }}
      readinessProbe:
        {{- include "sluice.probe" (list "/readyz" $values.readinessProbe) | nindent 8 }}
      {{- with $values.preStopSleepSeconds }}
      lifecycle:
        preStop:
          sleep: {seconds: {{ . }}}
      {{- end }}
      {{- include "sluice.mounts" $part | nindent 6 }}
        {{- with .volume }}
        - {name: {{ .name }}, mountPath: {{ .path }}}
        {{- end }}
    {{- with $pod.extraContainers }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  {{- include "sluice.volumes" (list $root .part (include "sluice.configMap" (list $root .part ""))) | nindent 2 }}
{{- end }}
