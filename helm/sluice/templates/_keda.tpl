{{/* What KEDA's kafka trigger is told. It ignores keys that it does not know, so all of them are written here and pinned by a test. */}}

{{- define "sluice.kedaServers" -}}
{{- $servers := list }}
{{- range (.Values.consumer.autoscaling.bootstrapServers | default .Values.config.kafka.brokers) }}
{{- $port := regexFind ":[0-9]+$" . }}
{{- $host := trimSuffix $port . }}
{{- $local := not (contains "." $host) }}
{{- $servers = append $servers (printf "%s%s%s" $host (ternary (printf ".%s.svc" $.Release.Namespace) "" $local) ($port | default ":9092")) }}
{{- end }}
{{- join "," $servers }}
{{- end }}

{{- define "sluice.kedaMetadata" -}}
{{- $scaling := .Values.consumer.autoscaling -}}
{{- $kafka := .Values.config.kafka -}}
bootstrapServers: {{ include "sluice.kedaServers" . }}
consumerGroup: {{ $kafka.group | quote }}
topic: {{ $kafka.topic | quote }}
lagThreshold: {{ $scaling.lagThreshold | int64 | quote }}
offsetResetPolicy: earliest
allowIdleConsumers: "false"
excludePersistentLag: "false"
ensureEvenDistributionOfPartitions: {{ $scaling.evenPartitions | quote }}
scaleToZeroOnInvalidOffset: "false"
fullMetadata: "false"
version: {{ $scaling.kafkaVersion | quote }}
{{- with dig "sasl" "mechanism" "" $kafka }}
sasl: {{ get (dict "PLAIN" "plaintext" "SCRAM-SHA-256" "scram_sha256" "SCRAM-SHA-512" "scram_sha512") . }}
{{- end }}
{{- if include "sluice.tlsOn" (get $kafka "tls") }}
tls: enable
{{- end }}
{{- end }}

{{/* Name of the TriggerAuthentication, or nothing. */}}
{{- define "sluice.kedaAuthentication" -}}
{{- $login := .Values.consumer.autoscaling.authentication }}
{{- if $login.existing }}{{ $login.existing }}
{{- else if $login.secretName }}{{ include "sluice.fullname" . }}-consumer
{{- end }}
{{- end }}
