{{/* Which part of the configuration each part of the installation reads, and which Secrets that needs. */}}

{{/* (list $ "part"): the configuration of a part. Those that are tools may have accounts of their own. */}}
{{- define "sluice.config" -}}
{{- $root := index . 0 }}
{{- $part := $root.Values }}
{{- range splitList "." (index . 1) }}{{ $part = get $part . | default dict }}{{ end }}
{{- $config := mergeOverwrite (deepCopy $root.Values.config) (deepCopy (get $part "config" | default dict)) }}
{{- /* Who makes the topic knows over how many partitions keys are spread, whatever somebody else makes of it later. */}}
{{- if and (ne $root.Values.topics.mode "none") (not (get $config.kafka "partitions")) }}
{{- $config = set $config "kafka" (merge (dict "partitions" (int64 $root.Values.topics.partitions)) $config.kafka) }}
{{- end }}
{{- if and (ne (include "sluice.podRate" $root) "0") (not (dig "consumer" "pod_rate" 0 $config)) }}
{{- $config = set $config "consumer" (merge (dict "pod_rate" (include "sluice.podRate" $root | int64)) ($config.consumer | default dict)) }}
{{- end }}
{{- /* Rises with each upgrade. A rollback brings an old one back: the Job of the effects gives it the next number. */}}
{{- if not (hasKey $config "effects_revision") }}
{{- $config = merge (dict "effects_revision" (int64 $root.Release.Revision)) $config }}
{{- end }}
{{- if and (eq (index . 1) "ingress") (include "sluice.spills" $root) }}
{{- $config = set $config "spill" (include "sluice.spillSection" $root | fromYaml) }}
{{- end }}
{{- if $root.Values.selftest.enabled }}
{{- $sources := append ($config.sources | default list) (include "sluice.selftestSource" $root | fromYaml) }}
{{- $effects := append ($config.effects | default list) (include "sluice.selftestEffect" $root | fromYaml) }}
{{- $config = merge (dict "sources" $sources "effects" $effects) $config }}
{{- end }}
{{- toYaml $config }}
{{- end }}

{{/* (list $ "part"): the sections that the part reads; pods are made anew when one of these changes, and only then. (Not for another
     effects_revision alone: the same effects are in force under any number.) */}}
{{- define "sluice.sections" -}}
{{- $root := index . 0 }}
{{- $part := index . 1 }}
{{- $whole := include "sluice.config" . | fromYaml }}
{{- /* Who may send commands, and what they do, is for the program that executes them. */}}
{{- $config := omit $whole "command" "callers" "commands" }}
{{- /* That a source is polled decides how a program reads it. What is in `poll`, the key too, is for the poller, and keys of webhooks are not. */}}
{{- range ternary list $config.sources (has $part (list "poller" "check")) }}
{{- if kindIs "map" (get . "poll") }}{{ $_ := set . "poll" dict }}{{ end }}
{{- end }}
{{- if eq $part "ingress" }}
{{- toYaml (omit $config "mysql" "inbox" "consumer" "effects" "effects_revision" "operators" "destinations" "outbox") }}
{{- else if eq $part "command" }}{{ include "sluice.commandSections" (list $root $whole) }}
{{- else if eq $part "booker" }}{{ include "sluice.bookerSections" $whole }}
{{- else if and (eq $part "consumer") $root.Values.retry.enabled }}
{{- $read := omit $config "listen" "redis" "operators" "outbox" }}
{{- toYaml (set $read "consumer" (omit ($config.consumer | default dict) "pod_rate")) }}
{{- else if eq $part "consumer" }}{{ toYaml (omit $config "listen" "redis") }}
{{- else if eq $part "retry" }}{{ toYaml (omit $config "listen" "redis" "outbox") }}
{{- else if eq $part "relay" }}
{{- $read := pick $config "operations" "kafka" "mysql" "destinations" "outbox" "log" "tracing" }}
{{- toYaml (set $read "consumer" (pick ($config.consumer | default dict) "drain_within")) }}
{{- else if eq $part "poller" }}
{{- range $config.sources }}{{ $_ := unset . "keys" }}{{ end }}
{{- toYaml (pick $config "operations" "kafka" "redis" "mysql" "inbox" "sources" "recipes" "log") }}
{{- else if eq $part "migrate" }}{{ toYaml (pick $config "mysql" "inbox" "log") }}
{{- else if eq $part "topics" }}
{{- /* A release has sources. A file of commands without that word needs no topics of webhooks. */}}
{{- toYaml (merge (include "sluice.hotSections" $root | fromYaml) (dict "sources" list) (pick $config "kafka" "callbacks" "log")) }}
{{- else if eq $part "effects" }}{{ toYaml (pick $config "mysql" "sources" "recipes" "effects" "effects_revision" "destinations" "log") }}
{{- else if eq $part "check" }}{{ toYaml $whole }}
{{- else if eq $part "selftest" }}
{{- $source := include "sluice.selftestSource" $root | fromYaml }}
{{- toYaml (merge (dict "sources" (list $source)) (pick $config "kafka" "mysql" "log")) }}
{{- else }}
{{- $read := merge (include "sluice.hotSections" $root | fromYaml) (omit $config "tracing") }}
{{- with include "sluice.ctlCommands" $root | fromYaml }}{{ $read = set $read "ctl.commands" . }}{{ end }}
{{- toYaml $read }}
{{- end }}
{{- end }}

{{/* (list $ "part"): what may name Secrets. Who opens bodies (`with`) and verifies nothing gets no keys; who sends nothing signs nothing. */}}
{{- define "sluice.withSecrets" -}}
{{- $read := include "sluice.sections" . | fromYaml }}
{{- if eq (index . 1) "ctl" }}
{{- $read = set (omit $read "listen") "ctl.commands" (pick (get $read "ctl.commands" | default dict) "mysql" "redis") }}
{{- end }}
{{- if not (include "sluice.sends" .) }}
{{- $read = omit $read "destinations" }}
{{- end }}
{{- $keyless := and (eq (index . 1) "ctl") (not (index . 0).Values.ctl.sourceSecrets) }}
{{- $opens := ternary (list "consumer" "effects") (list "effects") (index . 0).Values.retry.enabled }}
{{- if or $keyless (has (index . 1) $opens) }}
{{- $opened := list }}
{{- range $read.sources }}
{{- $opened = append $opened (get . "with" | default dict) }}
{{- end }}
{{- $read = set (deepCopy $read) "sources" $opened }}
{{- end }}
{{- toYaml $read }}
{{- end }}

{{/* (list $ "part"): JSON list of the names of Secrets, each once. */}}
{{- define "sluice.secretNames" -}}
{{- $names := list }}
{{- range regexFindAll "/run/secrets/[^/\\s\"']+/" (include "sluice.withSecrets" .) -1 }}
{{- $names = append $names (. | trimPrefix "/run/secrets/" | trimSuffix "/") }}
{{- end }}
{{- $names | uniq | sortAlpha | toJson }}
{{- end }}

{{/* (list $ "part" "webhooks", "commands" or "operations"): where pods of the part listen for it */}}
{{- define "sluice.port" -}}
{{- $config := include "sluice.config" (list (index . 0) (index . 1)) | fromYaml }}
{{- $addresses := dict "webhooks" (dig "listen" "address" "0.0.0.0:8080" $config) "operations" (dig "operations" "address" "0.0.0.0:9090" $config)
      "commands" (dig "command" "listen" "address" "0.0.0.0:8081" $config) }}
{{- regexFind "[0-9]+$" (get $addresses (index . 2)) }}
{{- end }}

{{/* A destination: its URL, or nothing. A key without a value is nil, for which `dig` has no answer. */}}
{{- define "sluice.urlOf" -}}
{{- get (get (. | default dict) "http" | default dict) "url" | default "" }}
{{- end }}

{{/* A duration of the configuration in whole seconds, rounded up: "1500ms" is 2. */}}
{{- define "sluice.seconds" -}}
{{- $number := regexFind "^[0-9]+" . | int64 }}
{{- $unit := regexFind "[a-z]+$" . }}
{{- if eq $unit "ms" }}
{{- div (add $number 999) 1000 }}
{{- else }}
{{- mul $number (get (dict "s" 1 "m" 60 "h" 3600 "d" 86400) $unit | default 1) }}
{{- end }}
{{- end }}

{{/* A `tls` section as the programs read it: "true" when it is on. */}}
{{- define "sluice.tlsOn" -}}
{{- $tls := . | default dict }}
{{- if ternary (get $tls "enabled") $tls (hasKey $tls "enabled") }}true{{ end }}
{{- end }}
