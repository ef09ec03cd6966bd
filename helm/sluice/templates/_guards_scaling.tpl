{{/* Numbers of pods, and who decides them. */}}

{{- define "sluice.guardScaling" -}}
{{- range $part := list "ingress" "consumer" "relay" "command" }}
{{- $scaling := (index $.Values $part).autoscaling }}
{{- if and $scaling.enabled (gt (int64 $scaling.minReplicas) (int64 $scaling.maxReplicas)) }}
{{- fail (printf "%s.autoscaling.minReplicas is %d and maxReplicas is %d: minReplicas must not exceed maxReplicas" $part (int64 $scaling.minReplicas) (int64 $scaling.maxReplicas)) }}
{{- end }}
{{- end }}
{{- range $part := list "ingress" "command" }}
{{- $values := index $.Values $part }}
{{- if and $values.autoscaling.enabled (not (dig "requests" "cpu" "" $values.resources)) }}
{{- fail (printf "%s.autoscaling needs %s.resources.requests.cpu: it scales by a percentage of this" $part $part) }}
{{- end }}
{{- if and $values.autoscaling.metrics $values.autoscaling.extraTriggers }}
{{- fail (printf "%s.autoscaling has metrics and extraTriggers: KEDA's ScaledObject has no place for metrics. Write them as triggers" $part) }}
{{- end }}
{{- end }}
{{- $scaling := .Values.consumer.autoscaling }}
{{- if and $scaling.enabled (not .Values.retry.enabled) }}
{{- fail "retry.enabled is false, and consumer.autoscaling is on: each step would stop the retry role's group too. Set one of the two otherwise" }}
{{- end }}
{{- if $scaling.enabled }}
{{- if not (or $scaling.rate.perPod $scaling.extraTriggers $scaling.lagAlone) }}
{{- fail "consumer.autoscaling is on with the lag alone, so the number of pods would never come to rest: set consumer.autoscaling.rate.perPod to the events per second that one pod applies, or add a trigger to extraTriggers, or set lagAlone: true" }}
{{- end }}
{{- if gt (int64 $scaling.maxReplicas) (int64 .Values.topics.partitions) }}
{{- fail (printf "consumer.autoscaling.maxReplicas is %d and topics.partitions is %d: more consumers than partitions would be idle" (int64 $scaling.maxReplicas) (int64 .Values.topics.partitions)) }}
{{- end }}
{{- range $bound := list "minReplicas" "maxReplicas" }}
{{- if and $scaling.evenPartitions (mod (int64 $.Values.topics.partitions) (int64 (get $scaling $bound))) }}
{{- fail (printf "consumer.autoscaling.%s is %d, which does not divide the %d partitions: some pods would have more partitions than others and lag behind. Choose a divisor, or set evenPartitions: false" $bound (int64 (get $scaling $bound)) (int64 $.Values.topics.partitions)) }}
{{- end }}
{{- end }}
{{- if or (lt (int64 $scaling.fallback.replicas) (int64 $scaling.minReplicas)) (gt (int64 $scaling.fallback.replicas) (int64 $scaling.maxReplicas)) }}
{{- fail (printf "consumer.autoscaling.fallback.replicas is %d: it must be between minReplicas (%d) and maxReplicas (%d)" (int64 $scaling.fallback.replicas) (int64 $scaling.minReplicas) (int64 $scaling.maxReplicas)) }}
{{- end }}
{{- include "sluice.guardKedaLogin" $ }}
{{- include "sluice.guardConnections" $ }}
{{- end }}
{{- end }}

{{/* "auto" asks how many CPUs there are, and a pod without a limit sees those of its node. */}}
{{- define "sluice.guardAuto" -}}
{{- $counted := dict "ingress" (list "listen.threads" (dig "listen" "threads" "auto" .Values.config))
    "consumer" (list "consumer.workers" (dig "consumer" "workers" "auto" .Values.config))
    "retry" (list "consumer.workers" (dig "consumer" "workers" "auto" .Values.config))
    "command" (list "command.listen.threads" (dig "command" "listen" "threads" "auto" .Values.config)) }}
{{- range $part := without (include "sluice.deployments" . | fromJsonArray) "relay" "poller" "booker" }}
{{- $setting := get $counted $part }}
{{- if and (eq (index $setting 1 | toString) "auto") (not (dig "limits" "cpu" "" (index $.Values $part).resources)) }}
{{- fail (printf "config.%s is auto, and %s.resources.limits.cpu is not set: a pod would count the CPUs of its node. Set one of the two" (index $setting 0) $part) }}
{{- end }}
{{- end }}
{{- end }}

{{/* Scaling out must not sink the database that is slow already. */}}
{{- define "sluice.guardConnections" -}}
{{- $most := int64 .Values.consumer.autoscaling.mysqlConnections }}
{{- $workers := dig "consumer" "workers" "auto" .Values.config }}
{{- if $most }}
{{- if not (regexMatch "^[0-9]+$" (toString $workers)) }}
{{- fail "consumer.autoscaling.mysqlConnections needs a number for config.consumer.workers: auto depends on the node" }}
{{- end }}
{{- $pods := add .Values.consumer.autoscaling.maxReplicas .Values.retry.replicas }}
{{- $needed := mul $pods (add 1 (int64 $workers)) }}
{{- $relays := 0 }}
{{- if include "sluice.relaysApart" . }}
{{- $relays = mul (len .Values.config.destinations) (ternary .Values.relay.autoscaling.maxReplicas .Values.relay.replicas .Values.relay.autoscaling.enabled) }}
{{- end }}
{{- $commands := include "sluice.commandSessions" . | int64 }}
{{- if gt (add $needed $relays $commands) $most }}
{{- $also := ternary (printf ", and the relay %d more" (int64 $relays)) "" (gt (int64 $relays) 0) }}
{{- $also = ternary (printf "%s, and sluice-command %d more" $also $commands) $also (gt $commands 0) }}
{{- fail (printf "%d pods of consumer and retry may need %d connections (config.consumer.workers + 1 each)%s, but consumer.autoscaling.mysqlConnections is %d" $pods $needed $also $most) }}
{{- end }}
{{- end }}
{{- end }}

{{- define "sluice.guardKedaLogin" -}}
{{- $login := .Values.consumer.autoscaling.authentication }}
{{- $kafka := (include "sluice.config" (list . "consumer") | fromYaml).kafka }}
{{- if not $login.existing }}
{{- if and (get $kafka "sasl") (not (include "sluice.kedaByRole" .)) (not (and $login.secretName $login.keys.username $login.keys.password)) }}
{{- fail "config.kafka.sasl is set, so KEDA must log in too: set consumer.autoscaling.authentication.secretName with keys.username and keys.password, or existing" }}
{{- end }}
{{- if and (eq (dig "sasl" "mechanism" "" $kafka) "OAUTHBEARER") (not $login.keys.oauthTokenEndpointUri) }}
{{- fail "config.kafka.sasl is OAUTHBEARER, so KEDA needs the token endpoint from the Secret too: set consumer.autoscaling.authentication.keys.oauthTokenEndpointUri, or existing" }}
{{- end }}
{{- if and (dig "tls" "ca" "" $kafka) (not (and $login.secretName $login.keys.ca)) }}
{{- fail "config.kafka.tls has its own CA, which KEDA must know too: set consumer.autoscaling.authentication.secretName with keys.ca, or existing" }}
{{- end }}
{{- if and (dig "tls" "cert" "" $kafka) (not (and $login.secretName $login.keys.cert $login.keys.key)) }}
{{- fail "config.kafka.tls has a client certificate, and KEDA needs one too: set consumer.autoscaling.authentication.secretName with keys.cert and keys.key, or existing" }}
{{- end }}
{{- end }}
{{- end }}
