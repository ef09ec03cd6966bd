{{/* What stands in a ConfigMap can be read by everybody who can read the namespace. */}}

{{/* (list $ "ctl"): the configuration that the part gets; "" is `config` itself */}}
{{- define "sluice.guardSecrets" -}}
{{- $root := index . 0 }}
{{- $name := trimPrefix "." (printf "%s.config" (index . 1)) }}
{{- $config := include "sluice.config" . | fromYaml }}
{{- range $place, $value := include "sluice.secretPlaces" $config | fromYaml }}
{{- if and $value (not (kindIs "map" $value)) }}
{{- fail (printf "%s.%s contains a secret: put it into a Secret and write {file: /run/secrets/NAME/KEY}" $name $place) }}
{{- end }}
{{- end }}
{{- range regexFindAll "/run/secrets/[^\\s\"']*" (toYaml $config) -1 }}
{{- if not (regexMatch "^/run/secrets/[a-z0-9]([a-z0-9.-]*[a-z0-9])?/[A-Za-z0-9._-]+$" .) }}
{{- fail (printf "%s names the file %s: write /run/secrets/NAME/KEY, with the name of an existing Secret and a key of it" $name .) }}
{{- end }}
{{- end }}
{{- $kafka := $config.kafka }}
{{- if and (has (dig "sasl" "mechanism" "" $kafka) (list "PLAIN" "OAUTHBEARER")) (not (include "sluice.tlsOn" (get $kafka "tls"))) (not $root.Values.insecureKafka) }}
{{- fail (printf "%s.kafka.sasl with %s and without kafka.tls sends the password or token in clear text: set tls, use SCRAM-SHA-512, or set insecureKafka: true" $name $kafka.sasl.mechanism) }}
{{- end }}
{{- end }}

{{/* Whoever may exec into a pod that has the keys of two operators is both. */}}
{{- define "sluice.guardTwoOperators" -}}
{{- $retry := include "sluice.config" (list . (ternary "retry" "consumer" .Values.retry.enabled)) | fromYaml }}
{{- if and .Values.ctl.enabled (dig "operators" "two_for" list $retry) }}
{{- $names := list }}
{{- range $key := dig "operators" "keys" list (include "sluice.config" (list . "ctl") | fromYaml) }}
{{- $names = append $names (get $key "operator" | default "nobody in particular") | uniq }}
{{- end }}
{{- if gt (len $names) 1 }}
{{- fail (printf "config.operators.two_for requires two operators, but the on-call pod would have the keys of %s: set ctl.config.operators to {two_for: [], keys: [the keys of one of them]}, and let the other operators run sluicectl elsewhere" (join " and of " $names)) }}
{{- end }}
{{- end }}
{{- end }}

{{/* A configuration: what stands where a secret belongs, by its place. */}}
{{- define "sluice.secretPlaces" -}}
{{- $places := dict
    "redis.password" (dig "redis" "password" nil .)
    "mysql.password" (dig "mysql" "password" nil .)
    "kafka.sasl.password" (dig "kafka" "sasl" "password" nil .) }}
{{- range $index, $source := .sources }}
{{- range $number, $key := get $source "keys" | default list }}
{{- $_ := set $places (printf "sources[%d].keys[%d].value" $index $number) (get $key "value") }}
{{- end }}
{{- with get $source "poll" }}
{{- if kindIs "map" . }}{{ $_ := set $places (printf "sources[%d].poll.key" $index) (get . "key") }}{{ end }}
{{- end }}
{{- range $setting, $value := get $source "with" | default dict }}
{{- if regexMatch "(^|_)(key|secret|password|passphrase|token)$" $setting }}
{{- $_ := set $places (printf "sources[%d].with.%s" $index $setting) $value }}
{{- end }}
{{- end }}
{{- end }}
{{- range $index, $caller := get . "callers" | default list }}
{{- range $number, $key := get ($caller | default dict) "keys" | default list }}
{{- $_ := set $places (printf "callers[%d].keys[%d].value" $index $number) (get $key "value") }}
{{- end }}
{{- end }}
{{- range $command := get . "commands" | default list }}
{{- range $number, $secret := get (get ($command | default dict) "call" | default dict) "secrets" | default list }}
{{- $_ := set $places (printf "commands.%s.call.secrets[%d].value" (get $command "name") $number) (get $secret "value") }}
{{- end }}
{{- end }}
{{- range $number, $header := dig "tracing" "headers" list . }}
{{- $_ := set $places (printf "tracing.headers[%d].value" $number) (get $header "value") }}
{{- end }}
{{- range $number, $key := dig "operators" "keys" list . }}
{{- $_ := set $places (printf "operators.keys[%d].value" $number) (get $key "value") }}
{{- end }}
{{- range $name, $destination := get . "destinations" | default dict }}
{{- range $number, $secret := get (get ($destination | default dict) "http" | default dict) "secrets" | default list }}
{{- $_ := set $places (printf "destinations.%s.http.secrets[%d].value" $name $number) (get $secret "value") }}
{{- end }}
{{- end }}
{{- range $option, $value := dig "kafka" "options" dict . }}
{{- if regexMatch "password|secret|\\.pem$" $option }}
{{- $_ := set $places (printf "kafka.options[%s]" $option) $value }}
{{- end }}
{{- end }}
{{- toYaml $places }}
{{- end }}

{{/*
A hook waits for no object of the release, unless that is an earlier hook itself. Argo CD makes the check in the phase PreSync, and its own
annotation puts an object there too. Weights and waves are left to the author. A key without a value is nil, for which `dig` has no answer.
*/}}
{{- define "sluice.guardOwnSecrets" -}}
{{- $made := list }}
{{- range .Values.extraObjects }}
{{- $object := tpl (toYaml .) $ | fromYaml }}
{{- $kind := get $object "kind" }}
{{- $metadata := get $object "metadata" | default dict }}
{{- $annotations := get $metadata "annotations" | default dict }}
{{- $preSync := regexMatch "(^|,) *PreSync *(,|$)" (get $annotations "argocd.argoproj.io/hook" | default "") }}
{{- if and (has $kind (list "Secret" "ExternalSecret" "SealedSecret")) (not (get $annotations "helm.sh/hook")) (not $preSync) }}
{{- $path := get (dict "ExternalSecret" "target" "SealedSecret" "template") $kind }}
{{- $template := get (get $object "spec" | default dict) $path | default dict }}
{{- $made = append $made (get $template "name" | default (get (get $template "metadata" | default dict) "name") | default (get $metadata "name")) }}
{{- end }}
{{- end }}
{{- $early := dict }}
{{- range $part := ternary (include "sluice.parts" . | fromJsonArray) list .Values.check.enabled }}
{{- $_ := set $early $part "check.enabled: false" }}
{{- end }}
{{- range $part := list "migrate" "topics" }}
{{- if eq (get $.Values $part).mode "hook" }}
{{- $_ := set $early $part (printf "%s.mode: job" $part) }}
{{- end }}
{{- end }}
{{- range $part, $instead := $early }}
{{- range $name := include "sluice.secretNames" (list $ $part) | fromJsonArray }}
{{- if has $name $made }}
{{- fail (printf "extraObjects makes the Secret %s, but the Job that reads it for %s comes before all objects of the release and would wait in vain: set %s" $name $part $instead) }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}
