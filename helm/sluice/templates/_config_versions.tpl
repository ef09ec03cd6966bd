{{/* The consumer and the retry role read their file once. So each version of it is a ConfigMap with a name of its own: during an upgrade old
     pods keep theirs, and a rollback brings back what those pods had. (The ingress reads its file again, and has one that changes.) */}}

{{/* (list $ "part"): the same for the same sections, whatever the number of the effects */}}
{{- define "sluice.sectionsHash" -}}
{{- omit (include "sluice.sections" . | fromYaml) "effects_revision" | toYaml | sha256sum }}
{{- end }}

{{/* (list $ "part"): name of the present version */}}
{{- define "sluice.configVersion" -}}
{{- printf "%s-%s-%s" (include "sluice.fullname" (index . 0)) (index . 1) (include "sluice.sectionsHash" . | trunc 10) }}
{{- end }}

{{/* (list $ "part"): YAML list of versions, newest first: the present one, and up to three that pods may still mount. Those stay in the
     release as they are in the cluster. Each names the one before it. `helm template` sees no cluster, so there it is one. */}}
{{- define "sluice.configVersions" -}}
{{- $root := index . 0 }}
{{- $part := index . 1 }}
{{- $space := $root.Release.Namespace }}
{{- $prefix := printf "%s-%s-" (include "sluice.fullname" $root) $part }}
{{- $present := include "sluice.configVersion" . }}
{{- $running := "" }}
{{- $deployment := lookup "apps/v1" "Deployment" $space (trimSuffix "-" $prefix) }}
{{- range dig "spec" "template" "spec" "volumes" list $deployment }}
{{- if eq .name "config" }}{{ $running = dig "configMap" "name" "" . }}{{ end }}
{{- end }}
{{- $name := $running }}
{{- if eq $running $present }}
{{- $name = dig "metadata" "annotations" "sluice/version-before" "" (lookup "v1" "ConfigMap" $space $present) }}
{{- end }}
{{- $before := $name }}
{{- $older := list }}
{{- range until 3 }}
{{- if and (hasPrefix $prefix $name) (not (has $name (append $older $present))) }}
{{- $older = append $older $name }}
{{- with lookup "v1" "ConfigMap" $space $name }}
---
{{ pick . "apiVersion" "kind" "data" | toYaml }}
metadata:
  {{- pick .metadata "name" "namespace" "labels" "annotations" | toYaml | nindent 2 }}
{{- $name = dig "annotations" "sluice/version-before" "" .metadata }}
{{- end }}
{{- end }}
{{- end }}
---
{{- $annotations := dict "argocd.argoproj.io/sync-options" "PruneLast=true" }}
{{- if and $before (ne $before $present) }}
{{- $annotations = set $annotations "sluice/version-before" $before }}
{{- end }}
{{ include "sluice.wholeConfigMap" (list $root (printf "config-%s" $part) (trimPrefix (include "sluice.fullname" $root) $present) $annotations $part) }}
{{- end }}
