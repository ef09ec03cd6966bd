{{/* Commands need somebody who sends them, and somebody who executes them. */}}

{{- define "sluice.guardCommand" -}}
{{- if .Values.command.enabled }}
{{- range $key := list "commands" "callers" }}
{{- if not (get $.Values.config $key) }}
{{- fail (printf "command.enabled is true and config.%s is empty: set it as docs/commands.md describes, or set command.enabled: false" $key) }}
{{- end }}
{{- end }}
{{- include "sluice.guardCalls" . }}
{{- include "sluice.guardLists" . }}
{{- range .Values.config.callers }}
{{- if not (or (get . "keys") (get . "certificate")) }}
{{- fail (printf "config.callers: %s has neither keys nor certificate: nobody could show that a request is its own. Give it one of the two" (get . "name")) }}
{{- end }}
{{- end }}
{{- $address := dig "command" "listen" "address" "" .Values.config }}
{{- if regexMatch "^(127\\.|localhost|\\[::1\\])" $address }}
{{- fail (printf "config.command.listen.address is %s, which cannot be reached from outside the pod: write 0.0.0.0 instead" $address) }}
{{- end }}
{{- if eq (include "sluice.port" (list . "command" "commands")) (include "sluice.port" (list . "command" "operations")) }}
{{- fail (printf "config.command.listen.address is %s, which has the port of config.operations.address: a pod needs two" $address) }}
{{- end }}
{{- end }}
{{- include "sluice.guardBooker" . }}
{{- with omit (include "sluice.ctlLogins" . | fromYaml) "mysql" "redis" | keys }}
{{- fail (printf "ctl.commands.config has %s: it says as whom sluicectl command logs in, so it takes mysql and redis and nothing else" (sortAlpha . | join ", ")) }}
{{- end }}
{{- end }}

{{/* What another service executes needs a way there, and where its record is. */}}
{{- define "sluice.guardCalls" -}}
{{- $calls := list }}
{{- range .Values.config.commands }}
{{- if hasKey . "call" }}{{ $calls = append $calls (get . "name") }}{{ end }}
{{- end }}
{{- range $name, $_ := .Values.command.egress }}
{{- if not (has $name $calls) }}
{{- fail (printf "command.egress has %s, which is no command with a call: name one of config.commands" $name) }}
{{- end }}
{{- end }}
{{- $servers := dig "redis" "urls" list (include "sluice.config" (list . "command") | fromYaml) }}
{{- if and (include "sluice.recordsOnRedis" .) (ne 1 (len $servers)) }}
{{- fail (printf "config.redis.urls names %d servers, and a call of config.commands has record: redis: name the one server where records of calls are kept, in command.config.redis.urls if others are needed elsewhere" (len $servers)) }}
{{- end }}
{{- end }}

{{- define "sluice.guardLists" -}}
{{- range include "sluice.hotCommands" . | fromJsonArray }}
{{- $list := get (get . "hot" | default dict) "list" | toString }}
{{- if and (hasPrefix "/run/configmaps" $list) (not (regexMatch "^/run/configmaps/[a-z0-9]([a-z0-9.-]*[a-z0-9])?/[A-Za-z0-9._-]+$" $list)) }}
{{- fail (printf "config.commands: %s has the list %s: write /run/configmaps/NAME/KEY, with the name of an existing ConfigMap and a key of it" (get . "name") $list) }}
{{- end }}
{{- end }}
{{- end }}

{{/* Who books what nobody accepts, or more of them than can have something to do. */}}
{{- define "sluice.guardBooker" -}}
{{- if .Values.booker.enabled }}
{{- if not .Values.command.enabled }}
{{- fail "booker.enabled is true and command.enabled is false: nobody would accept what it is to book. Set command.enabled: true" }}
{{- end }}
{{- if eq "[]" (include "sluice.hotCommands" .) }}
{{- fail "booker.enabled is true and no command of config.commands has hot: there is nothing to book. Set booker.enabled: false" }}
{{- end }}
{{- if gt (int64 .Values.booker.replicas) (int64 .Values.topics.partitions) }}
{{- fail (printf "booker.replicas is %d and topics.partitions is %d: more bookers than partitions would be idle" (int64 .Values.booker.replicas) (int64 .Values.topics.partitions)) }}
{{- end }}
{{- end }}
{{- end }}

{{/* How many sessions of MySQL all pods of commands may have. One that takes requests: one for each worker, and one that deletes expired
     keys; for each call with its record there as many as calls at once, one for look-ups and one that settles; for hot accounts two, that look
     for known keys. One that books: one more. */}}
{{- define "sluice.commandSessions" -}}
{{- if .Values.command.enabled }}
{{- $scaling := .Values.command.autoscaling }}
{{- $each := add 1 (dig "command" "workers" 4 .Values.config | int64) }}
{{- range .Values.config.commands }}
{{- $call := get . "call" }}
{{- if and $call (ne "redis" (get $call "record" | toString)) }}{{ $each = add $each (get $call "concurrency" | default 16 | int64) 2 }}{{ end }}
{{- end }}
{{- $isHot := ne "[]" (include "sluice.hotCommands" .) }}
{{- $each = add $each (ternary 2 0 $isHot) (ternary 1 0 (and $isHot (not .Values.booker.enabled))) }}
{{- add (mul (ternary $scaling.maxReplicas .Values.command.replicas $scaling.enabled) $each) (ternary .Values.booker.replicas 0 .Values.booker.enabled) }}
{{- else }}0
{{- end }}
{{- end }}
