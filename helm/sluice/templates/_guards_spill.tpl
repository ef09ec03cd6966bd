{{/* What was answered and is not in Kafka yet is on one pod's volume, and nowhere else. */}}

{{- define "sluice.guardSpill" -}}
{{- $spill := .Values.ingress.spill }}
{{- range $part := list "" "ingress" "consumer" "retry" "relay" "poller" "command" "booker" "ctl" "ctl.commands" "migrate" "topics" "effects" }}
{{- $given := $.Values }}
{{- range compact (splitList "." $part) }}{{ $given = get $given . | default dict }}{{ end }}
{{- if get (get $given "config" | default dict) "spill" }}
{{- fail (printf "%s has spill, but only ingress.spill brings a volume that outlives the pod: set ingress.spill.enabled: true, and ingress.spill.max in place of spill.max" (trimPrefix "." (printf "%s.config" $part))) }}
{{- end }}
{{- end }}
{{- if and $spill.enabled (not .Values.ingress.enabled) }}
{{- fail "ingress.enabled is false and ingress.spill.enabled is true: webhooks that were answered would stay on volumes without pods. See that sluice_ingress_spill_records is 0 in every pod, then set ingress.spill.enabled: false" }}
{{- end }}
{{- if include "sluice.spills" . }}
{{- if .Values.ingress.autoscaling.enabled }}
{{- fail "ingress.spill and ingress.autoscaling are both enabled: a pod that is scaled away keeps webhooks that were answered on its volume until it comes back. Set ingress.replicas to what the peak needs, and ingress.autoscaling.enabled: false" }}
{{- end }}
{{- include "sluice.guardSpillSize" . }}
{{- include "sluice.guardSpillUser" . }}
{{- end }}
{{- include "sluice.guardSpillLeft" . }}
{{- end }}

{{- define "sluice.guardSpillSize" -}}
{{- $spill := .Values.ingress.spill }}
{{- $most := div (mul 9 (include "sluice.mebibytes" $spill.size | int64)) 10 }}
{{- if gt (include "sluice.spillMax" . | include "sluice.mebibytes" | int64) $most }}
{{- fail (printf "ingress.spill.max is %s and ingress.spill.size is %s, which leaves the file system too little: the volume would be full before spill.max. At most %dMiB fit" $spill.max $spill.size $most) }}
{{- end }}
{{- end }}

{{/* A new volume is root's. OpenShift, which chooses users itself, sets fsGroup too. */}}
{{- define "sluice.guardSpillUser" -}}
{{- $security := (include "sluice.podValues" (list . "ingress") | fromYaml).securityContext }}
{{- if and (get $security "runAsUser") (not (get $security "fsGroup")) }}
{{- fail (printf "ingress.spill.enabled is true and the ingress has no securityContext.fsGroup: user %d could not write to its volume. Set ingress.pod.securityContext.fsGroup, or remove runAsUser where the cluster chooses both" (int64 $security.runAsUser)) }}
{{- end }}
{{- end }}

{{/* Pods that the release before has and this one would take away. Whether they hold something only a person can see. `helm template` sees no
     cluster: nothing is refused. Who never spilled is asked for no StatefulSet, which Helm's account may have no right to read. */}}
{{- define "sluice.guardSpillLeft" -}}
{{- $name := printf "%s-ingress" (include "sluice.fullname" .) }}
{{- $file := lookup "v1" "ConfigMap" .Release.Namespace $name }}
{{- if get (dig "data" "sluice.yaml" "" $file | fromYaml) "spill" }}
{{- with lookup "apps/v1" "StatefulSet" .Release.Namespace $name }}
{{- $runs := int64 .spec.replicas }}
{{- $wanted := int64 $.Values.ingress.replicas }}
{{- $seen := "See that sluice_ingress_spill_records is 0" }}
{{- if and (include "sluice.spills" $) (gt $runs $wanted) }}
{{- fail (printf "ingress.replicas is %d and %s has %d pods: one that goes keeps webhooks that were answered on its volume. %s in each pod from %s-%d on, run kubectl scale statefulset/%s --replicas %d, and then upgrade" $wanted $name $runs $seen $name $wanted $name $wanted) }}
{{- else if and (not (include "sluice.spills" $)) (ne "keep" (dig "metadata" "annotations" "helm.sh/resource-policy" "" .)) }}
{{- fail (printf "the ingress spills no longer, so Helm would delete the StatefulSet %s at once, and its volumes may hold webhooks that were answered: run kubectl annotate statefulset/%s helm.sh/resource-policy=keep, upgrade, and delete it as docs/kubernetes.md describes" $name $name) }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}
