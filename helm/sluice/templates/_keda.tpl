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
sasl: {{ get (dict "PLAIN" "plaintext" "SCRAM-SHA-256" "scram_sha256" "SCRAM-SHA-512" "scram_sha512" "OAUTHBEARER" "oauthbearer") . }}
{{- end }}
{{- if include "sluice.tlsOn" (get $kafka "tls") }}
tls: enable
{{- end }}
{{- end }}

{{/* How many pods the rate of events wants, as PromQL: with evenPartitions the next number that divides the partitions. No answer while
     there is no rate, so that KEDA falls back to the lag alone. */}}
{{- define "sluice.rateQuery" -}}
{{- $scaling := .Values.consumer.autoscaling }}
{{- $own := printf "rate(sluice_ingress_claims_total{result!=\"duplicate\",namespace=%q,pod=~%q}[2m])" .Release.Namespace (printf "%s-ingress-.*" (include "sluice.fullname" .)) }}
{{- $wanted := printf "sum(%s) / (%d * %d / 100)" ($scaling.rate.query | default $own) (int64 $scaling.rate.perPod) (int64 $scaling.rate.percent) }}
{{- if $scaling.evenPartitions }}
{{- $partitions := int64 .Values.topics.partitions }}
{{- $even := list }}
{{- range $number := untilStep 1 (int (add 1 $partitions)) 1 }}
{{- if not (mod $partitions $number) }}
{{- $even = append $even (printf "label_replace(vector(%d), \"pods\", \"%d\", \"\", \"\")" $number $number) }}
{{- end }}
{{- end }}
{{- printf "(min((%s) >= scalar(%s)) or vector(%d)) and on() (%s >= 0)" (join " or " $even) $wanted $partitions $wanted }}
{{- else }}{{ $wanted }}
{{- end }}
{{- end }}

{{/* Name of the TriggerAuthentication, or nothing. */}}
{{- define "sluice.kedaAuthentication" -}}
{{- $login := .Values.consumer.autoscaling.authentication }}
{{- if $login.existing }}{{ $login.existing }}
{{- else if $login.secretName }}{{ include "sluice.fullname" . }}-consumer
{{- end }}
{{- end }}
