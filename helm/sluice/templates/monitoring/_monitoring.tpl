{{/* Prometheus and Grafana. */}}

{{/* values of a monitor: how it scrapes; the part of a pod becomes a label */}}
{{- define "sluice.scraping" -}}
path: /metrics
interval: {{ .interval }}
relabelings:
  - sourceLabels: [__meta_kubernetes_pod_label_app_kubernetes_io_component]
    targetLabel: component
  {{- with .relabelings }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- with .metricRelabelings }}
metricRelabelings:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{/* (list values.rules rule "fullname" "namespace"): an alert with links that lead somewhere; a recording rule as it is */}}
{{- define "sluice.rule" -}}
{{- $values := index . 0 }}
{{- $rule := set (deepCopy (index . 1)) "expr" (include "sluice.inScope" (list (index . 1).expr $values.scope (index . 2) (index . 3))) }}
{{- if get $rule "alert" }}
{{- $links := dict }}
{{- range $link, $base := dict "runbook_url" $values.runbookUrl "dashboard_url" $values.dashboardUrl }}
{{- with dig "annotations" $link "" $rule }}
{{- if and $base (not (contains "://" .)) }}
{{- $_ := set $links $link (printf "%s/%s" (trimSuffix "/" $base) (trimPrefix "/" .)) }}
{{- end }}
{{- end }}
{{- end }}
{{- $annotations := merge (dict) $values.alertAnnotations $links (get $rule "annotations" | default dict) }}
{{- $labels := merge (dict) $values.alertLabels (get $rule "labels" | default dict) }}
{{- toYaml (merge (dict "annotations" $annotations "labels" $labels) $rule) }}
{{- else }}
{{- toYaml $rule }}
{{- end }}
{{- end }}

{{/* (list expr scope "fullname" "namespace"): of scope `namespace`, every series is one of this namespace and scalers have the names that they have here.
Replaced, not rendered: rules are full of braces of their own. */}}
{{- define "sluice.inScope" -}}
{{- $series := "((?:webhook|sluice|kube|keda)_[a-z0-9_]+|sluice:[a-z0-9_:]+|ALERTS)" }}
{{- $own := printf "namespace=%q" (index . 3) }}
{{- if eq (index . 1) "namespace" }}
{{- $named := replace ".*sluice.*" (printf "%s-(command|consumer|ingress|relay)" (index . 2)) (index . 0) }}
{{- $open := regexReplaceAll (printf "\\b%s\\b" $series) $named (printf "${1}{%s}" $own) }}
{{- replace (printf "{%s}{" $own) (printf "{%s," $own) $open }}
{{- else }}
{{- index . 0 }}
{{- end }}
{{- end }}

{{- define "sluice.guardMonitoring" -}}
{{- $monitoring := .Values.monitoring }}
{{- if and $monitoring.serviceMonitor.enabled $monitoring.podMonitor.enabled }}
{{- fail "monitoring.serviceMonitor and monitoring.podMonitor are both enabled, so everything would be counted twice: enable one of them" }}
{{- end }}
{{- if and (or $monitoring.rules.enabled $monitoring.dashboards.enabled) (not $monitoring.rules.runbookUrl) }}
{{- fail "monitoring.rules.runbookUrl must say where deploy/runbooks is published: the person on call needs the page" }}
{{- end }}
{{- if $monitoring.rules.enabled }}
{{- $known := list }}
{{- range $path, $_ := .Files.Glob "alerts/*.yaml" }}
{{- range ($.Files.Get $path | fromYaml).groups }}
{{- range .rules }}
{{- $known = append $known (get . "alert") }}
{{- end }}
{{- end }}
{{- end }}
{{- range $monitoring.rules.disabled }}
{{- if not (has . $known) }}
{{- fail (printf "monitoring.rules.disabled names %s, which is not an alert" .) }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}
