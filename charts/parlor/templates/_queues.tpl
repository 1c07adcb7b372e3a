{{/* "true" when the values bring queues of their own for this service: (list $ service). */}}
{{- define "parlor.hasQueues" -}}
{{- if and (eq (index . 1) "matchmaking") (index . 0).Values.matchmaking.queues }}true{{ end }}
{{- end }}

{{- define "parlor.queues" -}}
{{- dict "queues" .Values.matchmaking.queues | toPrettyJson }}
{{- end }}
