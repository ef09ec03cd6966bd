{{/* (list $ image): registry/repository@digest, or :tag */}}
{{- define "sluice.image" -}}
{{- $root := index . 0 }}
{{- $image := index . 1 }}
{{- $registry := default $root.Values.image.registry $root.Values.global.imageRegistry }}
{{- $name := ternary (printf "%s/%s" (trimSuffix "/" $registry) $image.repository) $image.repository (ne $registry "") }}
{{- if $image.digest }}
{{- printf "%s@%s" $name $image.digest }}
{{- else }}
{{- printf "%s:%s" $name ($image.tag | default $root.Values.image.tag | default $root.Chart.AppVersion) }}
{{- end }}
{{- end }}

{{- define "sluice.pullSecrets" -}}
{{- $names := concat .Values.image.pullSecrets .Values.global.imagePullSecrets | uniq }}
{{- with $names }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- end }}
