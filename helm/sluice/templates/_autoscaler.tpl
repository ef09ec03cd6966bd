{{/* By processor time, for those that serve requests. */}}

{{/* (list $ "part") */}}
{{- define "sluice.cpuScaler" -}}
{{- $root := index . 0 }}
{{- $part := index . 1 }}
{{- $name := printf "%s-%s" (include "sluice.fullname" $root) $part }}
{{- with (index $root.Values $part).autoscaling }}
{{- if and .enabled .extraTriggers }}
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata:
  {{- /* An upgrade brings it before Helm takes the HorizontalPodAutoscaler of before away. */}}
  {{- include "sluice.metadata" (list $root $part (printf "-%s" $part) (dict "scaledobject.keda.sh/transfer-hpa-ownership" "true")) | nindent 2 }}
spec:
  scaleTargetRef:
    name: {{ $name }}
  minReplicaCount: {{ .minReplicas }}
  maxReplicaCount: {{ .maxReplicas }}
  advanced:
    restoreToOriginalReplicaCount: false
    horizontalPodAutoscalerConfig:
      name: {{ $name }}
      behavior:
        {{- toYaml .behavior | nindent 8 }}
  triggers:
    - type: cpu
      name: cpu
      metricType: Utilization
      metadata:
        value: {{ .targetCPUPercent | quote }}
    {{- toYaml .extraTriggers | nindent 4 }}
{{- else if .enabled }}
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  {{- include "sluice.metadata" (list $root $part (printf "-%s" $part) dict) | nindent 2 }}
spec:
  scaleTargetRef:
    apiVersion: apps/v1
    kind: Deployment
    name: {{ $name }}
  minReplicas: {{ .minReplicas }}
  maxReplicas: {{ .maxReplicas }}
  metrics:
    - type: Resource
      resource:
        name: cpu
        target: {type: Utilization, averageUtilization: {{ .targetCPUPercent }}}
    {{- with .metrics }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  behavior:
    {{- toYaml .behavior | nindent 4 }}
{{- end }}
{{- end }}
{{- end }}
