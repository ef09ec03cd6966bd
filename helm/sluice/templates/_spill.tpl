{{/* Webhooks that were answered and are not in Kafka yet, on a volume of each pod of the ingress. */}}

{{/* "true" where the ingress spills */}}
{{- define "sluice.spills" -}}
{{- if and .Values.ingress.enabled .Values.ingress.spill.enabled }}true{{ end }}
{{- end }}

{{/* the section `spill` */}}
{{- define "sluice.spillSection" -}}
path: {{ include "sluice.spillPath" . }}
max: {{ include "sluice.spillMax" . }}
{{- end }}

{{- define "sluice.spillPath" -}}
/var/lib/sluice/spill
{{- end }}

{{/* spill.max, or four fifths of the volume: its file system needs room too. The programs take 1 TiB at most. */}}
{{- define "sluice.spillMax" -}}
{{- with .Values.ingress.spill.max }}{{ . }}
{{- else }}
{{- $most := min 1048576 (div (mul 4 (include "sluice.mebibytes" .Values.ingress.spill.size | int64)) 5) }}
{{- ternary (printf "%dGiB" (div $most 1024)) (printf "%dMiB" $most) (eq 0 (mod $most 1024)) }}
{{- end }}
{{- end }}

{{/* "20Gi" as Kubernetes writes it, "16GiB" as the programs do */}}
{{- define "sluice.mebibytes" -}}
{{- mul (regexFind "^[0-9]+" . | int64) (get (dict "M" 1 "G" 1024 "T" 1048576) (regexFind "[MGT]" .) | int64) }}
{{- end }}
