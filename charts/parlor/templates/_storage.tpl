{{/*
`storage.mode: cluster` keeps everything in Redis Cluster and PostgreSQL, and pods keep nothing.
`embedded` needs neither: one pod of each service, files on a volume of its own.
*/}}

{{/* "true" when a service keeps files: (list $ service). */}}
{{- define "parlor.hasData" -}}
{{- $root := index . 0 -}}
{{- $keeps := has (index . 1) (list "table" "settlement") -}}
{{- if and (eq $root.Values.storage.mode "embedded") $keeps }}true{{ end }}
{{- end }}

{{- define "parlor.storeEnvironment" -}}
{{- $root := index . 0 -}}
{{- $service := index . 1 -}}
{{- if eq $root.Values.storage.mode "embedded" }}
{{- if eq $service "table" }}
- name: PARLOR_TABLE_STORE
  value: embedded
- name: PARLOR_TABLE_STORE_PATH
  value: /var/lib/parlor/tables.redb
{{- else if eq $service "settlement" }}
- name: PARLOR_SETTLEMENT_DATABASE_URL
  value: sqlite:///var/lib/parlor/settlement.db
{{- end }}
{{- else if has $service (list "table" "matchmaking") }}
- name: PARLOR_{{ upper $service }}_STORE
  value: redis
{{- end }}
{{- end }}

{{/* What a volume for a service's files asks for. */}}
{{- define "parlor.claim" -}}
accessModes:
  - ReadWriteOnce
{{- with .Values.storage.embedded.storageClassName }}
storageClassName: {{ . }}
{{- end }}
resources:
  requests:
    storage: {{ .Values.storage.embedded.size }}
{{- end }}
