{{/* Consumers, retry role, relay, poller and sluice-command read their file once. So each version of it is a ConfigMap with a name of its own: during an upgrade old
     pods keep theirs, and a rollback brings back what those pods had. (The ingress reads its file again, and has one that changes.) */}}

{{/* (list $ "part"): the same for the same sections, whatever the number of the effects */}}
{{- define "sluice.sectionsHash" -}}
{{- omit (include "sluice.sections" . | fromYaml) "effects_revision" | toYaml | sha256sum }}
{{- end }}

{{/* (list $ "part"): name of the present version */}}
{{- define "sluice.configVersion" -}}
{{- printf "%s-%s-%s" (include "sluice.fullname" (index . 0)) (index . 1) (include "sluice.sectionsHash" . | trunc 10) }}
{{- end }}

{{/* (list $ "part"): JSON list of the versions before, newest first: what the Deployment of the cluster mounts and those that its annotation
     names. All of them until its last roll-out is complete, since pods may mount any; three then. `helm template` sees no cluster: none. */}}
{{- define "sluice.configVersionsBefore" -}}
{{- $root := index . 0 }}
{{- $prefix := printf "%s-%s-" (include "sluice.fullname" $root) (index . 1) }}
{{- $deployment := lookup "apps/v1" "Deployment" $root.Release.Namespace (trimSuffix "-" $prefix) }}
{{- $known := list }}
{{- range dig "spec" "template" "spec" "volumes" list $deployment }}
{{- if eq .name "config" }}{{ $known = append $known (dig "configMap" "name" "" .) }}{{ end }}
{{- end }}
{{- $known = concat $known (dig "metadata" "annotations" "sluice/config-versions" "" $deployment | splitList ",") }}
{{- $before := list }}
{{- range without ($known | uniq) (include "sluice.configVersion" .) }}
{{- if hasPrefix $prefix . }}{{ $before = append $before . }}{{ end }}
{{- end }}
{{- $status := dig "status" dict $deployment }}
{{- $seen := eq (dig "metadata" "generation" 0 $deployment | int64) (get $status "observedGeneration" | int64) }}
{{- $complete := and $seen (eq (get $status "updatedReplicas" | int64) (get $status "replicas" | int64)) }}
{{- ternary (slice $before 0 (min 3 (len $before))) $before $complete | toJson }}
{{- end }}

{{/* (list $ "part"): ConfigMaps of the present version, and of those before as they are in the cluster, so that Helm deletes none of them. */}}
{{- define "sluice.configVersions" -}}
{{- $root := index . 0 }}
---
apiVersion: v1
kind: ConfigMap
metadata:
  {{- $options := get $root.Values.commonAnnotations "argocd.argoproj.io/sync-options" }}
  {{- $options = append (compact (list $options)) "PruneLast=true" | join "," }}
  {{- $suffix := trimPrefix (include "sluice.fullname" $root) (include "sluice.configVersion" .) }}
  {{- $annotations := dict "argocd.argoproj.io/sync-options" $options }}
  {{- include "sluice.metadata" (list $root (printf "config-%s" (index . 1)) $suffix $annotations) | nindent 2 }}
data:
  sluice.yaml: |
    {{- include "sluice.sections" . | nindent 4 }}
{{- range include "sluice.configVersionsBefore" . | fromJsonArray }}
{{- with lookup "v1" "ConfigMap" $root.Release.Namespace . }}
---
{{ pick . "apiVersion" "kind" "data" | toYaml }}
metadata:
  {{- pick .metadata "name" "namespace" "labels" "annotations" | toYaml | nindent 2 }}
{{- end }}
{{- end }}
{{- end }}
