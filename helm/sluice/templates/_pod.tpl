{{/* What all pods have in common. */}}

{{/* (list $ "part"): values.pod with what the part says otherwise */}}
{{- define "sluice.podValues" -}}
{{- $root := index . 0 }}
{{- $part := get $root.Values (index . 1) | default dict }}
{{- toYaml (mergeOverwrite (deepCopy $root.Values.pod) (deepCopy (get $part "pod" | default dict))) }}
{{- end }}

{{/* (list $ "part"): metadata of the pod */}}
{{- define "sluice.podMetadata" -}}
{{- $root := index . 0 }}
{{- $pod := include "sluice.podValues" . | fromYaml -}}
labels:
  {{- include "sluice.podLabels" . | nindent 2 }}
  {{- if has (index . 1) (list "ingress" "consumer" "retry" "relay" "poller" "command" "booker") }}
  sluice/operations: "true"
  {{- end }}
  {{- with $pod.labels }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
annotations:
  sluice/config: {{ include "sluice.sectionsHash" . }}
  {{- with $root.Values.rolloutToken }}
  sluice/rollout-token: {{ . | quote }}
  {{- end }}
  {{- with $pod.annotations }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end }}

{{/* (list $ "part"): where the pod runs and as whom */}}
{{- define "sluice.placement" -}}
{{- $root := index . 0 }}
{{- $part := . }}
{{- $pod := include "sluice.podValues" . | fromYaml -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  {{- include "sluice.withoutNulls" $pod.securityContext | nindent 2 }}
{{- include "sluice.pullSecrets" $root }}
{{- with $pod.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with $pod.runtimeClassName }}
runtimeClassName: {{ . }}
{{- end }}
{{- range $key := list "nodeSelector" "tolerations" "affinity" }}
{{- with get $pod $key }}
{{ $key }}:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
{{- $many := has (index . 1) (list "ingress" "consumer" "retry" "relay" "poller" "command" "booker") }}
{{- with ternary $pod.topologySpreadConstraints list $many }}
topologySpreadConstraints:
  {{- $own := dict "labelSelector" (dict "matchLabels" (include "sluice.selector" $part | fromYaml)) }}
  {{- range . }}
  {{- toYaml (list (merge (dict) . $own)) | nindent 2 }}
  {{- end }}
{{- end }}
{{- end }}

{{/* (list $ "part") */}}
{{- define "sluice.containerSecurity" -}}
{{- $pod := include "sluice.podValues" . | fromYaml -}}
securityContext:
  {{- include "sluice.withoutNulls" $pod.containerSecurityContext | nindent 2 }}
{{- end }}

{{- define "sluice.withoutNulls" -}}
{{- $kept := dict }}
{{- range $key, $value := . }}
{{- if not (kindIs "invalid" $value) }}
{{- $kept = set $kept $key $value }}
{{- end }}
{{- end }}
{{- toYaml $kept }}
{{- end }}

{{/* (list $ "part"): `env` and `envFrom` */}}
{{- define "sluice.environment" -}}
{{- $pod := include "sluice.podValues" . | fromYaml -}}
env:
  - {name: SLUICE_CONFIG, value: /etc/sluice/sluice.yaml}
  {{- if and (eq (index . 1) "ctl") (include "sluice.ctlCommands" (index . 0)) }}
  - {name: SLUICE_COMMANDS_CONFIG, value: /etc/sluice/commands.yaml}
  {{- end }}
  {{- with $pod.extraEnv }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- with $pod.extraEnvFrom }}
envFrom:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{/* (list $ "part"): folders, not single files, since only those follow when a ConfigMap or Secret changes */}}
{{- define "sluice.mounts" -}}
{{- $pod := include "sluice.podValues" . | fromYaml -}}
volumeMounts:
  - {name: config, mountPath: /etc/sluice, readOnly: true}
  {{- range $index, $name := include "sluice.secretNames" . | fromJsonArray }}
  - {name: secret-{{ $index }}, mountPath: "/run/secrets/{{ $name }}", readOnly: true}
  {{- end }}
  {{- range $index, $name := include "sluice.listNames" . | fromJsonArray }}
  - {name: list-{{ $index }}, mountPath: "/run/configmaps/{{ $name }}", readOnly: true}
  {{- end }}
  {{- with $pod.extraVolumeMounts }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end }}

{{/* (list $ "part" "name of the ConfigMap") */}}
{{- define "sluice.volumes" -}}
{{- $part := list (index . 0) (index . 1) }}
{{- $pod := include "sluice.podValues" $part | fromYaml -}}
volumes:
  - name: config
    configMap: {name: {{ index . 2 }}, defaultMode: 0444}
  {{- range $index, $name := include "sluice.secretNames" $part | fromJsonArray }}
  - name: secret-{{ $index }}
    secret: {secretName: {{ $name | quote }}, defaultMode: 0440}
  {{- end }}
  {{- /* Without one, accounts are not hot, which is no reason to start no pod. */}}
  {{- range $index, $name := include "sluice.listNames" $part | fromJsonArray }}
  - name: list-{{ $index }}
    configMap: {name: {{ $name | quote }}, defaultMode: 0444, optional: true}
  {{- end }}
  {{- with $pod.extraVolumes }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end }}
