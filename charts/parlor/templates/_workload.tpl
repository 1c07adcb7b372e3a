{{/*
One service's values over `podDefaults`, as YAML: (list $ "table"). Maps are merged, lists are
replaced.
*/}}
{{- define "parlor.workload" -}}
{{- $root := index . 0 -}}
{{- $defaults := deepCopy $root.Values.podDefaults -}}
{{- mergeOverwrite $defaults (deepCopy (index $root.Values (index . 1))) | toYaml }}
{{- end }}

{{/*
The end of a pod, in seconds: before SIGTERM it waits until nobody sends it anything new, then the
process drains, and the margin keeps the kubelet from cutting the last of it off. The grace period
covers all three; it is never typed in.
*/}}
{{- define "parlor.graceSeconds" -}}
{{- $drain := .drain -}}
{{- add (int $drain.preStopSeconds) (int $drain.timeoutSeconds) (int $drain.marginSeconds) }}
{{- end }}

{{/* Whether something other than the values decides how many pods there are: "true" or "". */}}
{{- define "parlor.autoscaled" -}}
{{- if (.autoscaling | default dict).enabled }}true{{ end }}
{{- end }}

{{/* Most pods that a service has at a time. */}}
{{- define "parlor.mostPods" -}}
{{- if include "parlor.autoscaled" . }}{{ int .autoscaling.maxReplicas }}{{ else }}{{ int .replicas }}
{{- end }}
{{- end }}

{{/* Fewest pods that a service has when all are up. */}}
{{- define "parlor.fewestPods" -}}
{{- if include "parlor.autoscaled" . }}{{ int .autoscaling.minReplicas }}{{ else }}{{ int .replicas }}
{{- end }}
{{- end }}

{{/* Kind and API of what runs the gateway, for those that point at it. */}}
{{- define "parlor.scaleTarget" -}}
{{- $root := index . 0 -}}
{{- $service := index . 1 -}}
{{- if and (eq $service "gateway") $root.Values.gateway.rollout.enabled -}}
apiVersion: argoproj.io/v1alpha1
kind: Rollout
{{- else -}}
apiVersion: apps/v1
kind: {{ (index (include "parlor.catalogue" $root | fromYaml) $service).kind }}
{{- end }}
name: {{ include "parlor.componentName" . }}
{{- end }}

{{/*
The names of the table service's StatefulSets, by zone: one without zones, else one for each.
*/}}
{{- define "parlor.tableSets" -}}
{{- $name := include "parlor.componentName" (list . "table") -}}
{{- if .Values.table.zones -}}
{{- range .Values.table.zones }}
{{ printf "%s-%s" $name . | trunc 52 | trimSuffix "-" }}: {{ . }}
{{- end }}
{{- else -}}
{{ $name }}: ""
{{- end }}
{{- end }}
