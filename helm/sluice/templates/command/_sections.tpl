{{/* What the pods of sluice-command read and reach: Kafka only for hot accounts, Redis only for calls that are recorded there. */}}

{{/* JSON list of the commands that have hot accounts. */}}
{{- define "sluice.hotCommands" -}}
{{- $hot := list }}
{{- range .Values.config.commands }}
{{- if hasKey . "hot" }}{{ $hot = append $hot . }}{{ end }}
{{- end }}
{{- toJson $hot }}
{{- end }}

{{/* "true" where a call has its record on Redis */}}
{{- define "sluice.recordsOnRedis" -}}
{{- range .Values.config.commands }}
{{- if eq "redis" (get (get . "call" | default dict) "record" | toString) }}true{{ end }}
{{- end }}
{{- end }}

{{/* JSON list of its servers */}}
{{- define "sluice.commandServers" -}}
{{- $servers := list "mysql" "otlp" }}
{{- $servers = ternary (append $servers "kafka") $servers (ne "[]" (include "sluice.hotCommands" .)) }}
{{- ternary (append $servers "redis") $servers (ne "" (include "sluice.recordsOnRedis" .)) | toJson }}
{{- end }}

{{/* A configuration: what bookers read of it. They take no requests and call nobody, so they know no caller, no listener and no call. */}}
{{- define "sluice.bookerSections" -}}
{{- $booked := list }}
{{- range .commands }}
{{- if not (hasKey . "call") }}{{ $booked = append $booked . }}{{ end }}
{{- end }}
{{- $sections := pick . "operations" "kafka" "mysql" "destinations" "log" }}
{{- $sections = set $sections "command" (omit (.command | default dict) "listen" "client_certificates") }}
{{- toYaml (set $sections "commands" $booked) }}
{{- end }}

{{/* (list $ config): of those who take requests. */}}
{{- define "sluice.commandSections" -}}
{{- $read := list "operations" "command" "callers" "commands" "mysql" "destinations" "log" "tracing" }}
{{- range $server := list "kafka" "redis" }}
{{- if has $server (include "sluice.commandServers" (index $ 0) | fromJsonArray) }}{{ $read = append $read $server }}{{ end }}
{{- end }}
{{- $sections := dict }}
{{- range $read }}
{{- if hasKey (index $ 1) . }}{{ $_ := set $sections . (get (index $ 1) .) }}{{ end }}
{{- end }}
{{- toYaml $sections }}
{{- end }}

{{/* For sluicectl, which knows by it that there is a topic of commands. */}}
{{- define "sluice.hotSections" -}}
{{- $hot := list }}
{{- range ternary (include "sluice.hotCommands" . | fromJsonArray) list .Values.command.enabled }}
{{- $hot = append $hot (dict "name" (get . "name") "hot" dict) }}
{{- end }}
{{- toYaml (ternary (dict "command" (pick (.Values.config.command | default dict) "topic" "group") "commands" $hot) dict (gt (len $hot) 0)) }}
{{- end }}

{{/* The file of `sluicectl command` in the pod of ctl, where sluice-command is: which commands and callers there are, and the servers that keep what
     became of them. It logs in there as that pod does, or as ctl.commands.config says: never as sluice-command by itself, which may do what the
     commands do. */}}
{{- define "sluice.ctlCommands" -}}
{{- if and .Values.ctl.enabled .Values.command.enabled }}
{{- $theirs := include "sluice.config" (list . "command") | fromYaml }}
{{- $ours := include "sluice.config" (list . "ctl") | fromYaml }}
{{- $read := pick $theirs "commands" "destinations" }}
{{- $callers := list }}
{{- range $theirs.callers }}{{ $callers = append $callers (pick . "name" "principal") }}{{ end }}
{{- $_ := set $read "callers" $callers }}
{{- $logins := include "sluice.ctlLogins" . | fromYaml }}
{{- range $server := ternary (list "mysql" "redis") (list "mysql") (ne "" (include "sluice.recordsOnRedis" .)) }}
{{- $place := include "sluice.placeOf" (list (get $theirs $server | default dict) (get $ours $server | default dict)) | fromYaml }}
{{- $_ := set $read $server (mergeOverwrite $place (get $logins $server | default dict)) }}
{{- end }}
{{- toYaml $read }}
{{- end }}
{{- end }}

{{/* ctl.commands.config. Values that are older than the key have none. */}}
{{- define "sluice.ctlLogins" -}}
{{- toYaml (get (.Values.ctl.commands | default dict) "config" | default dict) }}
{{- end }}

{{/* (list theirs ours): our section of a server, for their server. What says where it is and how it shows who it is comes from theirs: half of ours
     would lead elsewhere, or there without TLS. Who we are stays ours, a client certificate too. */}}
{{- define "sluice.placeOf" -}}
{{- $theirs := index . 0 }}
{{- $ours := index . 1 }}
{{- $place := include "sluice.addressOf" $theirs | fromYaml }}
{{- $tls := get (ternary $ours dict (eq (include "sluice.addressOf" $ours) (include "sluice.addressOf" $theirs))) "tls" | default dict }}
{{- if or (include "sluice.tlsOn" (get $theirs "tls")) (contains "rediss://" (get $theirs "urls" | toString)) }}
{{- $tls = merge (dict "enabled" true) (pick (get $theirs "tls" | default dict) "ca") (pick (get $ours "tls" | default dict) "cert" "key") }}
{{- end }}
{{- $place = merge $place (pick $theirs "database") (ternary (dict "tls" $tls) dict (gt (len $tls) 0)) }}
{{- toYaml (merge $place (omit $ours "host" "port" "urls" "database" "tls")) }}
{{- end }}

{{/* The section of a server: host and port, or urls */}}
{{- define "sluice.addressOf" -}}
{{- $port := dict "port" (get . "port" | default 3306 | int64) }}
{{- toYaml (merge (pick . "host" "urls") (ternary $port dict (hasKey . "host"))) }}
{{- end }}

{{/* (list $ "part"): JSON list of the ConfigMaps with lists of hot accounts, each once */}}
{{- define "sluice.listNames" -}}
{{- $names := list }}
{{- range ternary (include "sluice.hotCommands" (index . 0) | fromJsonArray) list (eq (index . 1) "command") }}
{{- with get (get . "hot" | default dict) "list" | toString | regexFind "^/run/configmaps/[^/]+/" }}
{{- $names = append $names (. | trimPrefix "/run/configmaps/" | trimSuffix "/") }}
{{- end }}
{{- end }}
{{- $names | uniq | sortAlpha | toJson }}
{{- end }}
