{{/* What values say of users and rights stays within the restricted Pod Security Standard, and the root read-only. */}}

{{- define "sluice.guardSecurity" -}}
{{- range $part := list "ingress" "consumer" "retry" "relay" "poller" "command" "booker" "ctl" "check" "migrate" "topics" "effects" "selftest" }}
{{- $pod := include "sluice.podValues" (list $ $part) | fromYaml }}
{{- $where := ternary "pod" (printf "%s.pod" $part) (empty (dig "pod" dict (get $.Values $part))) }}
{{- include "sluice.guardPodSecurity" (list (printf "%s.securityContext" $where) $pod.securityContext) }}
{{- include "sluice.guardContainerSecurity" (list (printf "%s.containerSecurityContext" $where) $pod.containerSecurityContext) }}
{{- end }}
{{- end }}

{{- define "sluice.guardPodSecurity" -}}
{{- $where := index . 0 }}
{{- $given := index . 1 | default dict }}
{{- if not (eq (get $given "runAsNonRoot" | toString) "true") }}
{{- fail (printf "%s.runAsNonRoot must be true: nothing here needs root" $where) }}
{{- end }}
{{- if not (has (dig "seccompProfile" "type" "" $given) (list "RuntimeDefault" "Localhost")) }}
{{- fail (printf "%s.seccompProfile.type must be RuntimeDefault or Localhost" $where) }}
{{- end }}
{{- include "sluice.guardUser" . }}
{{- end }}

{{- define "sluice.guardContainerSecurity" -}}
{{- $where := index . 0 }}
{{- $given := index . 1 | default dict }}
{{- range $key, $right := dict "allowPrivilegeEscalation" "false" "readOnlyRootFilesystem" "true" }}
{{- if not (eq (get $given $key | toString) $right) }}
{{- fail (printf "%s.%s must be %s: the programs write only to their volumes and need no additional rights" $where $key $right) }}
{{- end }}
{{- end }}
{{- if or (get $given "privileged") (eq (get $given "runAsNonRoot" | toString) "false") }}
{{- fail (printf "%s gives more rights than the restricted Pod Security Standard allows: privileged, or root" $where) }}
{{- end }}
{{- $capabilities := get $given "capabilities" | default dict }}
{{- if or (not (has "ALL" (get $capabilities "drop" | default list))) (without (get $capabilities "add" | default list) "NET_BIND_SERVICE") }}
{{- fail (printf "%s.capabilities must drop ALL and may add only NET_BIND_SERVICE" $where) }}
{{- end }}
{{- include "sluice.guardUser" . }}
{{- end }}

{{- define "sluice.guardUser" -}}
{{- $given := index . 1 | default dict }}
{{- if eq (get $given "runAsUser" | toString) "0" }}
{{- fail (printf "%s.runAsUser is 0: nothing here needs root" (index . 0)) }}
{{- end }}
{{- end }}
