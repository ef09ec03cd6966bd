{{/* Each fails with a sentence that says what is wrong and what would be right. */}}

{{- define "sluice.guardConfig" -}}
{{- if not (dig "kafka" "brokers" list .Values.config) }}
{{- fail "config.kafka.brokers must name at least one broker, such as [kafka.data.svc:9092]" }}
{{- end }}
{{- if not (or .Values.config.sources .Values.selftest.enabled) }}
{{- fail "config.sources must name at least one source: without one, no webhook could be received" }}
{{- end }}
{{- if ne (keys (get .Values.config "operations" | default dict) | sortAlpha | join ",") "address" }}
{{- fail "config.operations must have address and nothing else, such as {address: \"0.0.0.0:9090\"}: each pod has an address of its own, so all programs use one port" }}
{{- end }}
{{- range $section := list "listen" "operations" }}
{{- $address := dig $section "address" "" $.Values.config }}
{{- if regexMatch "^(127\\.|localhost|\\[::1\\])" $address }}
{{- fail (printf "config.%s.address is %s, which cannot be reached from outside the pod: write 0.0.0.0 instead" $section $address) }}
{{- end }}
{{- end }}
{{- range $part := list "" "ingress" "consumer" "retry" "relay" "poller" "command" "booker" "ctl" "ctl.commands" "migrate" "topics" "effects" }}
{{- include "sluice.guardSecrets" (list $ $part) }}
{{- end }}
{{- include "sluice.guardTwoOperators" . }}
{{- include "sluice.guardOwnConfig" . }}
{{- end }}

{{/* Images of nobody's registry are on Docker Hub, where there is no sluice. */}}
{{- define "sluice.guardImages" -}}
{{- $parts := ternary (list "ingress" "consumer" "ctl") (list "consumer" "ctl") .Values.ingress.enabled }}
{{- $parts = ternary (append $parts "command") $parts .Values.command.enabled }}
{{- range $part := ternary (append $parts "poller") $parts (ne (include "sluice.polls" .) "") }}
{{- $name := include "sluice.image" (list $ (index $.Values $part).image) }}
{{- if not (contains "/" $name) }}
{{- fail (printf "image.registry is empty, so nodes would look for %s on Docker Hub: set it to where you pushed the images, or to docker.io/library if they are on the nodes already" $name) }}
{{- end }}
{{- end }}
{{- end }}

{{/* Parts may log in apart and have servers of their own; what the whole installation must agree on is said once. */}}
{{- define "sluice.guardOwnConfig" -}}
{{- range $part := list "ingress" "consumer" "retry" "relay" "poller" "command" "booker" }}
{{- $own := (index $.Values $part).config }}
{{- $wrong := keys (omit $own "kafka" "mysql" "redis" "tracing" "log") }}
{{- range $key := keys (omit (get $own "kafka" | default dict) "brokers" "sasl" "tls" "options") }}
{{- $wrong = append $wrong (printf "kafka.%s" $key) }}
{{- end }}
{{- with sortAlpha $wrong }}
{{- fail (printf "%s.config has %s, which all parts must share: set it in config. A part may differ in kafka.brokers, kafka.sasl, kafka.tls, kafka.options, mysql, redis, tracing and log" $part (join ", " .)) }}
{{- end }}
{{- end }}
{{- end }}

{{- define "sluice.guardGrace" -}}
{{- include "sluice.guardGraceOf" (list .Values.ingress "ingress" "listen" .Values.config.listen 0) }}
{{- if .Values.command.enabled }}
{{- $within := 0 }}
{{- range .Values.config.commands }}
{{- if kindIs "map" (get . "call") }}
{{- $within = max $within (include "sluice.seconds" (get .call "within" | default "5s") | int64) }}
{{- end }}
{{- end }}
{{- include "sluice.guardGraceOf" (list .Values.command "command" "command.listen" (get (.Values.config.command | default dict) "listen") $within) }}
{{- end }}
{{- $work := add 10 (include "sluice.seconds" (dig "consumer" "drain_within" "20s" .Values.config) | int64) }}
{{- range $part := without (include "sluice.deployments" . | fromJsonArray) "ingress" "poller" "command" "booker" }}
{{- $grace := (index $.Values $part).terminationGracePeriodSeconds | int64 }}
{{- if lt $grace $work }}
{{- fail (printf "%s.terminationGracePeriodSeconds is %d, but draining may take %d (consumer.drain_within + 10): the process would be killed before it has finished" $part $grace $work) }}
{{- end }}
{{- end }}
{{- end }}

{{/* (list values "part" "its section of config" section "seconds after the drain"): whoever serves requests. A call that was sent when the
     drain is over has its time to be answered. */}}
{{- define "sluice.guardGraceOf" -}}
{{- $values := index . 0 }}
{{- $listen := index . 3 | default dict }}
{{- $drain := add (include "sluice.seconds" (get $listen "drain_delay" | default "5s") | int64)
                  (include "sluice.seconds" (get $listen "drain_within" | default "25s") | int64) }}
{{- $after := index . 4 | int64 }}
{{- $least := add $values.preStopSleepSeconds $drain 5 $after }}
{{- if lt (int64 $values.terminationGracePeriodSeconds) $least }}
{{- fail (printf "%s.terminationGracePeriodSeconds is %d, but draining may take %d (preStopSleepSeconds + %s.drain_delay + %s.drain_within + 5%s): requests would be cut off" (index . 1) (int64 $values.terminationGracePeriodSeconds) $least (index . 2) (index . 2) (ternary (printf " + %d, the longest call.within" $after) "" (gt $after 0))) }}
{{- end }}
{{- end }}

{{- define "sluice.guardReplicas" -}}
{{- if and (not .Values.consumer.autoscaling.enabled) (gt (int64 .Values.consumer.replicas) (int64 .Values.topics.partitions)) }}
{{- fail (printf "consumer.replicas is %d and topics.partitions is %d: more consumers than partitions would be idle" (int64 .Values.consumer.replicas) (int64 .Values.topics.partitions)) }}
{{- end }}
{{- end }}

{{/* Dropped in silence, the container would be missed; kept, it would run for ever. */}}
{{- define "sluice.guardSidecars" -}}
{{- $ending := list "migrate" "topics" "effects" "selftest" }}
{{- range $part := ternary (append $ending "poller") $ending (eq .Values.poller.mode "cronjob") }}
{{- if dig "pod" "extraContainers" list (get $.Values $part) }}
{{- fail (printf "%s.pod.extraContainers has a container that would never let the pod end: move it to %s.pod.extraInitContainers, with restartPolicy: Always (a native sidecar)" $part $part) }}
{{- end }}
{{- end }}
{{- end }}

{{- define "sluice.guardTopics" -}}
{{- $spread := get .Values.config.kafka "partitions" }}
{{- if and $spread (ne .Values.topics.mode "none") (ne (int64 $spread) (int64 .Values.topics.partitions)) }}
{{- fail (printf "config.kafka.partitions is %d and topics.partitions is %d: keys are spread over all partitions with which the topic is created. Remove config.kafka.partitions, or set topics.mode: none" (int64 $spread) (int64 .Values.topics.partitions)) }}
{{- end }}
{{- if and (eq .Values.topics.mode "kafkaTopic") (not .Values.topics.kafkaTopic.cluster) }}
{{- fail "topics.kafkaTopic.cluster must name the Kafka cluster of the topics" }}
{{- end }}
{{- end }}
