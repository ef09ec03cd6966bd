{{/* One command as a Job, with a ConfigMap and a ServiceAccount of its own: as a hook it comes before all else of the release, and
     could use nothing that the release makes. */}}

{{/* (list $ "part" weight): annotations. What has succeeded is deleted, or it would outlive the release. */}}
{{- define "sluice.jobAnnotations" -}}
{{- $own := get (index . 0).Values (index . 1) }}
{{- if eq (get $own "mode" | default "hook") "hook" }}
helm.sh/hook: pre-install,pre-upgrade
helm.sh/hook-weight: {{ index . 2 | quote }}
helm.sh/hook-delete-policy: before-hook-creation,hook-succeeded
{{- end }}
{{- with $own.annotations }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/* (dict "root" $ "part" "migrate" "servers" list "weight" "-10"): what a Job needs, before the Job */}}
{{- define "sluice.jobNeeds" -}}
{{- $root := .root }}
{{- $part := list .root .part }}
{{- $values := get .root.Values .part }}
{{- $before := include "sluice.jobAnnotations" (list $root .part .weight) | fromYaml }}
apiVersion: v1
kind: ConfigMap
metadata:
  {{- include "sluice.metadata" (list $root .part (printf "-%s" .part) $before) | nindent 2 }}
data:
  sluice.yaml: |
    {{- include "sluice.sections" $part | nindent 4 }}
{{- if $values.serviceAccount.create }}
---
apiVersion: v1
kind: ServiceAccount
metadata:
  {{- include "sluice.accountMetadata" (list $root .part (merge (dict) $values.serviceAccount.annotations $before)) | nindent 2 }}
automountServiceAccountToken: false
{{- end }}
{{- if $root.Values.networkPolicy.enabled }}
---
{{ include "sluice.networkPolicy" (dict "root" $root "part" .part "servers" .servers "annotations" $before) }}
{{- end }}
{{- end }}

{{/* (dict "root" $ "part" "migrate" "args" list "servers" list): one command of sluicectl */}}
{{- define "sluice.job" -}}
{{- $root := .root }}
{{- $values := get .root.Values .part }}
{{- $name := printf "%s-%s" (include "sluice.fullname" $root) .part }}
{{- include "sluice.jobNeeds" (merge (dict "weight" "-10") .) }}
---
{{- $spec := include "sluice.jobSpec" (merge (dict "name" $name) .) }}
{{- $metadata := include "sluice.metadata" (list $root .part (printf "-%s" .part)
      (include "sluice.jobAnnotations" (list $root .part "-5") | fromYaml)) | fromYaml }}
apiVersion: batch/v1
kind: Job
metadata:
  {{- if ne $values.mode "hook" }}
  {{- /* A Job cannot change and runs once. With the revision in its name one that failed runs again with the next upgrade. */}}
  {{- $metadata = set $metadata "name" (printf "%s-%s" $name (printf "%d %s" $root.Release.Revision $spec | sha256sum | trunc 8)) }}
  {{- end }}
  {{- toYaml $metadata | nindent 2 }}
spec:
  {{- $spec | nindent 2 }}
{{- end }}

{{- define "sluice.jobSpec" -}}
{{- $part := list .root .part }}
{{- $values := get .root.Values .part -}}
backoffLimit: {{ $values.backoffLimit }}
activeDeadlineSeconds: {{ int64 $values.activeDeadlineSeconds }}
{{- with $values.ttlSecondsAfterFinished }}
ttlSecondsAfterFinished: {{ int64 . }}
{{- end }}
template:
  metadata:
    {{- include "sluice.podMetadata" $part | nindent 4 }}
  spec:
    {{- /* OnFailure would take the last try's pod away at the end, and its log lines with it. */}}
    restartPolicy: Never
    serviceAccountName: {{ include "sluice.accountName" $part }}
    {{- include "sluice.placement" $part | nindent 4 }}
    {{- with (include "sluice.podValues" $part | fromYaml).extraInitContainers }}
    initContainers:
      {{- toYaml . | nindent 6 }}
    {{- end }}
    containers:
      - name: {{ .part }}
        {{- include "sluice.ctlContainer" (list .root .part .args) | nindent 8 }}
        resources:
          {{- toYaml $values.resources | nindent 10 }}
    {{- include "sluice.volumes" (list .root .part .name) | nindent 4 }}
{{- end }}

{{/* (list $ "part" args): all of a container with sluicectl but its name and resources */}}
{{- define "sluice.ctlContainer" -}}
{{- $root := index . 0 }}
{{- $part := list (index . 0) (index . 1) -}}
image: {{ include "sluice.image" (list $root $root.Values.ctl.image) | quote }}
imagePullPolicy: {{ $root.Values.image.pullPolicy }}
command: [/usr/bin/sluicectl]
args: {{ toJson (index . 2) }}
{{ include "sluice.environment" $part }}
{{ include "sluice.containerSecurity" $part }}
{{ include "sluice.mounts" $part }}
{{- end }}
