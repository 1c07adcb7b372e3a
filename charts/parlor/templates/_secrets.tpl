{{/*
Name of the Kubernetes Secret behind an entry of `secrets`: (list $ "serviceToken"). Empty when the
entry is not used.
*/}}
{{- define "parlor.secretName" -}}
{{- $root := index . 0 -}}
{{- $entry := index $root.Values.secrets (index . 1) -}}
{{- if $entry.existingSecret }}
{{- $entry.existingSecret }}
{{- else if $entry.remoteRef.key }}
{{- printf "%s-%s" (include "parlor.fullname" $root) (kebabcase (index . 1)) }}
{{- end }}
{{- end }}

{{/* Variables that name the files of a service's secrets: (list $ names). */}}
{{- define "parlor.secretEnvironment" -}}
{{- $root := index . 0 -}}
{{- $catalogue := include "parlor.secretCatalogue" $root | fromYaml -}}
{{- range $name := index . 1 }}
{{- if include "parlor.secretName" (list $root $name) }}
{{- $entry := index $root.Values.secrets $name }}
{{- $known := index $catalogue $name }}
- name: {{ $known.variable }}
  value: file:/etc/parlor/secrets/{{ kebabcase $name }}
{{- if and $known.previous $entry.previousKey }}
- name: {{ $known.previous }}
  value: file:/etc/parlor/secrets/{{ kebabcase $name }}-previous
{{- end }}
{{- end }}
{{- end }}
{{- end }}

{{/* The files of a service's secrets: (list $ names). */}}
{{- define "parlor.secretSources" -}}
{{- $root := index . 0 -}}
{{- range $name := index . 1 }}
{{- with include "parlor.secretName" (list $root $name) }}
{{- $entry := index $root.Values.secrets $name }}
- secret:
    name: {{ . }}
    items:
      - key: {{ $entry.key }}
        path: {{ kebabcase $name }}
      {{- with $entry.previousKey }}
      - key: {{ . }}
        path: {{ kebabcase $name }}-previous
      {{- end }}
{{- end }}
{{- end }}
{{- end }}
