{{/* Short name of the chart's objects. */}}
{{- define "parlor.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 40 | trimSuffix "-" }}
{{- end }}

{{/* Prefix of every object's name. Leaves room for suffixes within 63 characters. */}}
{{- define "parlor.fullname" -}}
{{- if .Values.fullnameOverride }}
{{- .Values.fullnameOverride | trunc 40 | trimSuffix "-" }}
{{- else if contains (include "parlor.name" .) .Release.Name }}
{{- .Release.Name | trunc 40 | trimSuffix "-" }}
{{- else }}
{{- printf "%s-%s" .Release.Name (include "parlor.name" .) | trunc 40 | trimSuffix "-" }}
{{- end }}
{{- end }}

{{/* Name of a component's objects: (list $ "table"). */}}
{{- define "parlor.componentName" -}}
{{- printf "%s-%s" (include "parlor.fullname" (index . 0)) (index . 1) }}
{{- end }}

{{/*
What selects a component's pods. Never changes during the life of a release: selectors and volume
claim templates are immutable, so neither the chart's nor the image's version may be in here.
*/}}
{{- define "parlor.selector" -}}
{{- $root := index . 0 -}}
app.kubernetes.io/name: {{ include "parlor.name" $root }}
app.kubernetes.io/instance: {{ $root.Release.Name }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end }}

{{- define "parlor.labels" -}}
{{- $root := index . 0 -}}
{{ include "parlor.selector" . }}
app.kubernetes.io/part-of: parlor
app.kubernetes.io/managed-by: {{ $root.Release.Service }}
app.kubernetes.io/version: {{ include "parlor.version" $root | quote }}
helm.sh/chart: {{ printf "%s-%s" $root.Chart.Name $root.Chart.Version | replace "+" "_" }}
{{- with $root.Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/* A label may not hold what a digest or a long tag may. */}}
{{- define "parlor.version" -}}
{{- .Values.image.tag | default .Chart.AppVersion | replace "+" "_" | trunc 63 | trimSuffix "-" }}
{{- end }}

{{/* Metadata of an object: (list $ component) or (list $ component name). */}}
{{- define "parlor.metadata" -}}
{{- $root := index . 0 -}}
{{- $component := index . 1 -}}
name: {{ if gt (len .) 2 }}{{ index . 2 }}{{ else }}{{ include "parlor.componentName" . }}{{ end }}
namespace: {{ $root.Release.Namespace }}
labels:
  {{- include "parlor.labels" (list $root $component) | nindent 2 }}
{{- end }}

{{- define "parlor.image" -}}
{{- $image := .Values.image -}}
{{- $registry := .Values.global.imageRegistry | default $image.registry -}}
{{- $tag := $image.tag | default .Chart.AppVersion -}}
{{- with $registry }}{{ . }}/{{ end }}{{ $image.repository }}:{{ $tag }}
{{- with $image.digest }}@{{ . }}{{ end }}
{{- end }}

{{/* (list $ service workload) */}}
{{- define "parlor.serviceAccountName" -}}
{{- $own := (index . 2).serviceAccount -}}
{{- if $own.create }}
{{- $own.name | default (include "parlor.componentName" .) }}
{{- else }}
{{- $own.name | default "default" }}
{{- end }}
{{- end }}
