{{/* Each program judges the new configuration before the release has changed anything. All ReplicaSets of the ingress mount one ConfigMap, since a
     running ingress reads its sources again from it: a file that the new pods refuse would end the old ones too, as they restart. */}}

{{/* (list $ "ingress"): a Job for each program, since each has images, Secrets, volumes and nodes of its own */}}
{{- define "sluice.checkJob" -}}
{{- $root := index . 0 }}
{{- $values := $root.Values.check -}}
apiVersion: batch/v1
kind: Job
metadata:
  {{- $annotations := include "sluice.jobAnnotations" (list $root "check" "-15") | fromYaml }}
  {{- include "sluice.metadata" (list $root "check" (printf "-check-%s" (index . 1)) $annotations) | nindent 2 }}
spec:
  backoffLimit: 2
  podFailurePolicy:
    rules:
      {{- /* What it says of a file stays the same, however often it is asked. */}}
      - action: FailJob
        onExitCodes: {containerName: check, operator: In, values: [2]}
      - action: Ignore
        onPodConditions: [{type: DisruptionTarget, status: "True"}]
  activeDeadlineSeconds: {{ int64 $values.activeDeadlineSeconds }}
  template:
    metadata:
      {{- include "sluice.podMetadata" (list $root "check") | nindent 6 }}
    spec:
      restartPolicy: Never
      serviceAccountName: {{ include "sluice.accountName" (list $root "check") }}
      {{- $placement := omit (include "sluice.placement" . | fromYaml) "topologySpreadConstraints" }}
      {{- toYaml $placement | nindent 6 }}
      {{- with $values.pod.extraInitContainers }}
      initContainers:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      containers:
        - name: check
          {{- include "sluice.checkContainer" . | nindent 10 }}
          resources:
            {{- toYaml $values.resources | nindent 12 }}
      {{- include "sluice.volumes" (list $root (index . 1) (include "sluice.configMap" (list $root (index . 1) "-check"))) | nindent 6 }}
{{- end }}

{{- define "sluice.checkContainer" -}}
{{- $root := index . 0 -}}
{{- $program := get (dict "ingress" "ingress" "poller" "poller" "command" "command" "booker" "command") (index . 1) | default "consumer" -}}
image: {{ include "sluice.image" (list $root (get $root.Values $program).image) | quote }}
imagePullPolicy: {{ $root.Values.image.pullPolicy }}
command: [/usr/bin/sluice-{{ $program }}]
args: {{ concat (list "--check") (include "sluice.roleArgs" . | fromJsonArray) | toJson }}
{{ include "sluice.environment" . }}
{{ include "sluice.containerSecurity" . }}
{{ include "sluice.mounts" . }}
{{- end }}
