{{/* What KEDA's kafka trigger is told. It ignores keys that it does not know, so all of them are written here and pinned by a test. */}}

{{- define "sluice.kedaServers" -}}
{{- $servers := list }}
{{- range (.Values.consumer.autoscaling.bootstrapServers | default (include "sluice.config" (list . "consumer") | fromYaml).kafka.brokers) }}
{{- $port := regexFind ":[0-9]+$" . }}
{{- $host := trimSuffix $port . }}
{{- $local := not (contains "." $host) }}
{{- $servers = append $servers (printf "%s%s%s" $host (ternary (printf ".%s.svc" $.Release.Namespace) "" $local) ($port | default ":9092")) }}
{{- end }}
{{- join "," $servers }}
{{- end }}

{{- define "sluice.kedaMetadata" -}}
{{- $scaling := .Values.consumer.autoscaling -}}
{{- $kafka := (include "sluice.config" (list . "consumer") | fromYaml).kafka -}}
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
sasl: {{ get (dict "PLAIN" "plaintext" "SCRAM-SHA-256" "scram_sha256" "SCRAM-SHA-512" "scram_sha512" "OAUTHBEARER" "oauthbearer" "AWS_MSK_IAM" "oauthbearer") . }}
{{- end }}
{{- if include "sluice.kedaByRole" $ }}
saslTokenProvider: aws_msk_iam
awsRegion: {{ $kafka.sasl.region | quote }}
{{- end }}
{{- if include "sluice.tlsOn" (get $kafka "tls") }}
tls: enable
{{- end }}
{{- end }}

{{/* Events per second that one pod should have to do; 0: no trigger on the rate. */}}
{{- define "sluice.podRate" -}}
{{- $scaling := .Values.consumer.autoscaling }}
{{- if and $scaling.enabled $scaling.rate.perPod }}{{ max 1 (div (mul (int64 $scaling.rate.perPod) (int64 $scaling.rate.percent)) 100) }}
{{- else }}0
{{- end }}
{{- end }}

{{/* A pod of the retry role answers. With evenPartitions it tells the next number of pods that divides the partitions, else the rate. */}}
{{- define "sluice.rateMetadata" -}}
{{- $even := .Values.consumer.autoscaling.evenPartitions -}}
url: http://{{ include "sluice.fullname" . }}-retry.{{ .Release.Namespace }}.svc:{{ include "sluice.port" (list . "retry" "operations") }}/metrics
format: prometheus
valueLocation: {{ ternary "sluice_consumer_pods_wanted" "sluice_consumer_arriving_events_per_second" $even }}
targetValue: {{ ternary "1" (include "sluice.podRate" .) $even | quote }}
{{- end }}

{{/* (list $ "destination"): a pod of the relay answers for all of them */}}
{{- define "sluice.ageMetadata" -}}
{{- $root := index . 0 -}}
url: http://{{ include "sluice.fullname" $root }}-relay.{{ $root.Release.Namespace }}.svc:{{ include "sluice.port" (list $root "relay" "operations") }}/metrics
format: prometheus
valueLocation: {{ printf "sluice_relay_oldest_seconds{destination=%q}" (index . 1) | squote }}
targetValue: {{ $root.Values.relay.autoscaling.ageThreshold | int64 | quote }}
{{- end }}

{{/* "true" where Kafka takes roles of AWS, so that KEDA comes as its own. */}}
{{- define "sluice.kedaByRole" -}}
{{- if eq "AWS_MSK_IAM" (dig "kafka" "sasl" "mechanism" "" (include "sluice.config" (list . "consumer") | fromYaml)) }}true{{ end }}
{{- end }}

{{/* Name of the TriggerAuthentication, or nothing. */}}
{{- define "sluice.kedaAuthentication" -}}
{{- $login := .Values.consumer.autoscaling.authentication }}
{{- if $login.existing }}{{ $login.existing }}
{{- else if or $login.secretName (include "sluice.kedaByRole" .) }}{{ include "sluice.fullname" . }}-consumer
{{- end }}
{{- end }}
