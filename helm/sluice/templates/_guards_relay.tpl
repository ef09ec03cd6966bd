{{/* Messages that somebody writes must have somebody who sends them. */}}

{{- define "sluice.guardRelay" -}}
{{- $destinations := .Values.config.destinations | default dict }}
{{- if and $destinations .Values.retry.enabled (not .Values.relay.enabled) }}
{{- fail "config.destinations is set and relay.enabled is false: messages would stay in MySQL. Set relay.enabled: true, or retry.enabled: false, with which consumers have all roles" }}
{{- end }}
{{- range $name, $_ := .Values.relay.egress }}
{{- if not (include "sluice.urlOf" (get $destinations $name)) }}
{{- fail (printf "relay.egress has %s, which is no destination with a URL: name one of config.destinations" $name) }}
{{- end }}
{{- end }}
{{- $scaling := .Values.relay.autoscaling }}
{{- if and $scaling.enabled (or (lt (int64 $scaling.fallback.replicas) (int64 $scaling.minReplicas)) (gt (int64 $scaling.fallback.replicas) (int64 $scaling.maxReplicas))) }}
{{- fail (printf "relay.autoscaling.fallback.replicas is %d: it must be between minReplicas (%d) and maxReplicas (%d)" (int64 $scaling.fallback.replicas) (int64 $scaling.minReplicas) (int64 $scaling.maxReplicas)) }}
{{- end }}
{{- end }}
