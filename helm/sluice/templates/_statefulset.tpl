{{/* Pods of which each has a name that stays, and a volume that outlives it: the ingress, where it spills. */}}

{{/* (dict … as of sluice.deployment … "volume" {name, path, size, storageClassName}) */}}
{{- define "sluice.statefulSet" -}}
{{- $root := .root }}
{{- $values := index .root.Values .part }}
{{- $part := list .root .part }}
{{- $pod := include "sluice.podValues" $part | fromYaml -}}
apiVersion: apps/v1
kind: StatefulSet
metadata:
  {{- include "sluice.metadata" (list $root .part (printf "-%s" .part) $pod.deploymentAnnotations) | nindent 2 }}
spec:
  replicas: {{ $values.replicas }}
  revisionHistoryLimit: 5
  minReadySeconds: {{ int64 $values.minReadySeconds }}
  {{- /* Headless, and there already. It gives each pod a name: sluice-ingress-0.sluice-operations. */}}
  serviceName: {{ include "sluice.fullname" $root }}-operations
  {{- /* No pod waits for one before it, neither at the start nor when a roll-out that got stuck is rolled back. */}}
  podManagementPolicy: Parallel
  updateStrategy: {type: RollingUpdate}
  {{- /* What a volume holds has been answered. Only a person deletes it. */}}
  persistentVolumeClaimRetentionPolicy: {whenDeleted: Retain, whenScaled: Retain}
  selector:
    matchLabels:
      {{- include "sluice.selector" $part | nindent 6 }}
  template:
    {{- include "sluice.podTemplate" . | nindent 4 }}
  volumeClaimTemplates:
    {{- /* Can never change: no label that differs from version to version. */}}
    - apiVersion: v1
      kind: PersistentVolumeClaim
      metadata:
        name: {{ .volume.name }}
        labels:
          {{- include "sluice.selector" $part | nindent 10 }}
      spec:
        accessModes: [ReadWriteOnce]
        {{- with .volume.storageClassName }}
        storageClassName: {{ . | quote }}
        {{- end }}
        resources: {requests: {storage: {{ .volume.size }}}}
{{- end }}
