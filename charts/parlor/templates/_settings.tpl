{{/*
A setting as text. Numbers of YAML are floats here, and a million must not become 1e+06.
*/}}
{{- define "parlor.text" -}}
{{- if kindIs "slice" . }}
{{- $texts := list }}
{{- range . }}{{ $texts = append $texts (include "parlor.text" .) }}{{ end }}
{{- join "," $texts }}
{{- else if and (kindIs "float64" .) (eq (floor .) .) }}
{{- printf "%.0f" . }}
{{- else }}
{{- toString . }}
{{- end }}
{{- end }}

{{/*
Variables of a map of settings: (list "PARLOR_GATEWAY_" settings). One rule makes flag, variable and
value of the same words: --gateway-max-watched, PARLOR_GATEWAY_MAX_WATCHED, settings.maxWatched.
*/}}
{{- define "parlor.settings" -}}
{{- $prefix := index . 0 -}}
{{- range $name, $value := index . 1 }}
- name: {{ $prefix }}{{ snakecase $name | upper }}
  value: {{ include "parlor.text" $value | quote }}
{{- end }}
{{- end }}

{{/* Where a service is called, through its Service: (list $ "settlement"). */}}
{{- define "parlor.url" -}}
{{- $root := index . 0 -}}
{{- $service := index . 1 -}}
{{- $scheme := include "parlor.scheme" . -}}
{{- $port := index $root.Values.ports $service -}}
{{- if eq $service "gateway" }}{{ $port = $root.Values.gateway.service.grpcPort }}{{ end -}}
{{- printf "%s://%s.%s.svc:%v" $scheme (include "parlor.componentName" .) $root.Release.Namespace $port }}
{{- end }}

{{/* Players have no certificate of ours: the gateway's listener has TLS of its own, or none. */}}
{{- define "parlor.scheme" -}}
{{- if eq (index . 1) "gateway" }}http
{{- else }}{{ ternary "https" "http" (index . 0).Values.tls.enabled }}{{ end }}
{{- end }}

{{/* The table pods one by one, for the services that call the pod that owns a table. */}}
{{- define "parlor.tableUrls" -}}
{{- $urls := list -}}
{{- $headless := printf "%s-pods.%s.svc" (include "parlor.componentName" (list . "table"))
  .Release.Namespace -}}
{{- $table := include "parlor.workload" (list . "table") | fromYaml -}}
{{- range $set, $_ := include "parlor.tableSets" . | fromYaml }}
{{- range $ordinal := until (int $table.replicas) }}
{{- $urls = append $urls (printf "%s://%s-%d.%s:%v" (include "parlor.scheme" (list $ "table"))
  $set $ordinal $headless $.Values.ports.table) }}
{{- end }}
{{- end }}
{{- join "," $urls }}
{{- end }}

{{/*
Everything that a process of ours is told by variables, except secrets: (list $ service workload).
*/}}
{{- define "parlor.environment" -}}
{{- $root := index . 0 -}}
{{- $service := index . 1 -}}
{{- $workload := index . 2 -}}
{{- $values := $root.Values -}}
{{- $entry := index (include "parlor.catalogue" $root | fromYaml) $service -}}
{{- $limits := $workload.resources.limits | default dict -}}
- name: POD_NAME
  valueFrom:
    fieldRef:
      fieldPath: metadata.name
- name: POD_IP
  valueFrom:
    fieldRef:
      fieldPath: status.podIP
- name: NODE_NAME
  valueFrom:
    fieldRef:
      fieldPath: spec.nodeName
# Without it a runtime starts as many threads as the node has cores, whatever the pod may use.
- name: TOKIO_WORKER_THREADS
  {{- if $workload.workerThreads }}
  value: {{ $workload.workerThreads | toString | quote }}
  {{- else }}
  valueFrom:
    resourceFieldRef:
      containerName: parlor
      resource: {{ ternary "limits.cpu" "requests.cpu" (hasKey $limits "cpu") }}
      divisor: "1"
  {{- end }}
- name: OTEL_RESOURCE_ATTRIBUTES
  value: >-
    k8s.namespace.name={{ $root.Release.Namespace }},k8s.pod.name=$(POD_NAME),k8s.node.name=$(NODE_NAME),k8s.container.name=parlor,service.instance.id=$(POD_NAME),deployment.environment.name={{ $values.environment }}
- name: PARLOR_{{ upper $service }}_LISTEN
  value: {{ printf "%s:%s" $values.listenAddress (toString (index $values.ports $service)) | quote }}
- name: PARLOR_ADMIN_LISTEN
  value: {{ printf "%s:%v" $values.listenAddress $values.ports.admin | quote }}
- name: PARLOR_SHUTDOWN_TIMEOUT_MS
  value: {{ mul (int $workload.drain.timeoutSeconds) 1000 | quote }}
{{- range $entry.calls }}
{{- if eq . "table" }}
- name: PARLOR_TABLE_URLS
  value: {{ include "parlor.tableUrls" $root | quote }}
{{- else }}
- name: PARLOR_{{ upper . }}_URL
  value: {{ include "parlor.url" (list $root .) | quote }}
{{- end }}
{{- end }}
{{- if eq $service "table" }}
# The name by which the others call this very pod; it comes after POD_NAME, which it holds.
- name: PARLOR_TABLE_POD_URL
  value: {{ printf "%s://$(POD_NAME).%s-pods.%s.svc:%v" (include "parlor.scheme" (list $root "table"))
    (include "parlor.componentName" (list $root "table")) $root.Release.Namespace
    $values.ports.table | quote }}
{{- end }}
{{- if $values.tls.enabled }}
- name: PARLOR_TLS_CERTIFICATE
  value: /etc/parlor/tls/tls.crt
- name: PARLOR_TLS_KEY
  value: /etc/parlor/tls/tls.key
- name: PARLOR_TLS_CA
  value: /etc/parlor/tls/ca.crt
{{- end }}
{{- if and (eq $service "gateway") $values.gateway.tls.existingSecret }}
- name: PARLOR_GATEWAY_TLS_CERTIFICATE
  value: /etc/parlor/edge/tls.crt
- name: PARLOR_GATEWAY_TLS_KEY
  value: /etc/parlor/edge/tls.key
{{- end }}
{{- if include "parlor.hasQueues" (list $root $service) }}
- name: PARLOR_MATCHMAKING_QUEUES_FILE
  value: /etc/parlor/queues/queues.json
{{- end }}
{{- include "parlor.settings" (list "PARLOR_" $values.settings) }}
{{- include "parlor.settings" (list (printf "PARLOR_%s_" (upper $service)) $workload.settings) }}
{{- end }}
