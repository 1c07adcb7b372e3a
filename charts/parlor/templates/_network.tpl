{{/* Everything that has pods: the services, and the hooks that are switched on. */}}
{{- define "parlor.components" -}}
{{- $components := include "parlor.services" . | fromYamlArray -}}
{{- if and .Values.migration.enabled (eq .Values.storage.mode "cluster") -}}
{{- $components = append $components "migration" -}}
{{- end -}}
{{- if .Values.tests.enabled }}{{ $components = append $components "test" }}{{ end -}}
{{ toYaml $components }}
{{- end }}

{{/*
One rule of a policy, for one edge as one of its ends sees it: (list $ edge otherEnd "from"|"to").
Nothing when the other end is a peer that is not used. A peer without `peers` is everybody.
*/}}
{{- define "parlor.edgeRule" -}}
{{- $root := index . 0 -}}
{{- $edge := index . 1 -}}
{{- $other := index . 2 -}}
{{- $side := index . 3 -}}
{{- $port := dict "port" $edge.port "protocol" "TCP" -}}
{{- if ne $other (upper $other) -}}
{{- $labels := include "parlor.selector" (list $root $other) | fromYaml -}}
{{- $peer := dict "podSelector" (dict "matchLabels" $labels) -}}
{{- dict $side (list $peer) "ports" (list $port) | toYaml -}}
{{- else -}}
{{- $peer := index $root.Values.networkPolicy.peers (lower $other) -}}
{{- if $peer.enabled -}}
{{- /* On the way out the peer knows its ports, on the way in the edge names ours. */ -}}
{{- $rule := dict "ports" (ternary $peer.ports (list $port) (eq $side "to")) -}}
{{- with $peer.peers }}{{ $_ := set $rule $side . }}{{ end -}}
{{- toYaml $rule -}}
{{- end -}}
{{- end -}}
{{- end }}
