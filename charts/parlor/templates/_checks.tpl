{{/*
What a schema cannot say: how values fit together. Every message names the value to change.
*/}}

{{- define "parlor.check" -}}
{{- range $service := include "parlor.services" . | fromYamlArray }}
{{- $workload := include "parlor.workload" (list $ $service) | fromYaml }}
{{- include "parlor.checkScale" (list $ $service $workload) }}
{{- include "parlor.checkDrain" (list $service $workload) }}
{{- include "parlor.checkMemory" (list $service $workload) }}
{{- end }}
{{- include "parlor.checkStorage" . }}
{{- include "parlor.checkSecrets" . }}
{{- include "parlor.checkEdge" . }}
{{- include "parlor.checkRollout" . }}
{{- include "parlor.checkTls" . }}
{{- include "parlor.checkPorts" . }}
{{- include "parlor.checkTables" . }}
{{- include "parlor.checkNetwork" . }}
{{- end }}

{{- define "parlor.checkNetwork" -}}
{{- if .Values.networkPolicy.enabled }}
{{- $peers := .Values.networkPolicy.peers }}
{{- if and .Values.settings.otlpEndpoint (not $peers.otlp.enabled) }}
{{- fail "settings.otlpEndpoint is set but networkPolicy.peers.otlp is not enabled: nothing would arrive" }}
{{- end }}
{{- if and .Values.settlement.settings.walletUrl (not $peers.wallet.enabled) }}
{{- fail "settlement.settings.walletUrl is set but networkPolicy.peers.wallet is not enabled" }}
{{- end }}
{{- end }}
{{- end }}

{{- define "parlor.checkScale" -}}
{{- $service := index . 1 -}}
{{- $workload := index . 2 -}}
{{- $scale := $workload.autoscaling | default dict -}}
{{- if $scale.enabled }}
{{- if gt (int $scale.minReplicas) (int $scale.maxReplicas) }}
{{- fail (printf "%s.autoscaling: minReplicas %d is more than maxReplicas %d" $service
  (int $scale.minReplicas) (int $scale.maxReplicas)) }}
{{- end }}
{{- if eq $scale.by "keda" }}
{{- if not $scale.kedaTriggers }}
{{- fail (printf "%s.autoscaling: by keda needs kedaTriggers" $service) }}
{{- end }}
{{- else if $scale.kedaTriggers }}
{{- fail (printf "%s.autoscaling: kedaTriggers are set but it scales by hpa; never both" $service) }}
{{- else if not (or $scale.podMetrics $scale.cpuUtilizationPercent $scale.memoryUtilizationPercent) }}
{{- fail (printf "%s.autoscaling: nothing to aim at; set cpuUtilizationPercent or podMetrics" $service) }}
{{- end }}
{{- end }}
{{- end }}

{{- define "parlor.checkDrain" -}}
{{- $service := index . 0 -}}
{{- $workload := index . 1 -}}
{{- $spread := index ($workload.settings | default dict) "drainSpreadMs" | default 3000 -}}
{{- if and (eq $service "gateway") (gt (int $spread) (mul 1000 (int $workload.drain.timeoutSeconds))) }}
{{- fail "gateway: settings.drainSpreadMs is longer than drain.timeoutSeconds: sessions would be cut" }}
{{- end }}
{{- $handover := index ($workload.settings | default dict) "handoverTimeoutMs" | default 15000 -}}
{{- if and (eq $service "table") (gt (int $handover) (mul 1000 (int $workload.drain.timeoutSeconds))) }}
{{- fail "table: settings.handoverTimeoutMs is longer than drain.timeoutSeconds: tables would be cut off" }}
{{- end }}
{{- if and $workload.lifecycle (not (dig "preStop" false $workload.lifecycle)) }}
{{- fail (printf "%s.lifecycle replaces ours and has no preStop: calls would fail at each rollout" $service) }}
{{- end }}
{{- $sleep := int (dig "preStop" "sleep" "seconds" 0 $workload.lifecycle) }}
{{- if gt $sleep (int $workload.drain.preStopSeconds) }}
{{- fail (printf "%s.lifecycle sleeps %d s but drain.preStopSeconds counts %d: the grace period is too short"
  $service $sleep (int $workload.drain.preStopSeconds)) }}
{{- end }}
{{- end }}

{{- define "parlor.checkMemory" -}}
{{- $service := index . 0 -}}
{{- $resources := (index . 1).resources -}}
{{- if eq $service "table" }}
{{- if ne (dig "requests" "memory" "" $resources | toString) (dig "limits" "memory" "" $resources | toString) }}
{{- fail "table.resources: the memory limit must equal the request, or a full node kills tables" }}
{{- end }}
{{- end }}
{{- end }}

{{- define "parlor.checkStorage" -}}
{{- if eq .Values.storage.mode "embedded" }}
{{- range $service := include "parlor.services" . | fromYamlArray }}
{{- $workload := include "parlor.workload" (list $ $service) | fromYaml }}
{{- $pods := int (include "parlor.mostPods" $workload) }}
{{- if or (ne $pods 1) (include "parlor.autoscaled" $workload) }}
{{- fail (printf "storage.mode embedded is for one pod of each service: set %s.replicas to 1 and %s.autoscaling.enabled to false" $service $service) }}
{{- end }}
{{- end }}
{{- if .Values.table.zones }}
{{- fail "storage.mode embedded is for one table pod: empty table.zones" }}
{{- end }}
{{- end }}
{{- end }}

{{- define "parlor.checkSecrets" -}}
{{- range $name, $known := include "parlor.secretCatalogue" . | fromYaml }}
{{- $entry := index $.Values.secrets $name }}
{{- if and $entry.existingSecret $entry.remoteRef.key }}
{{- fail (printf "secrets.%s: existingSecret and remoteRef.key exclude each other" $name) }}
{{- end }}
{{- if and $entry.previousRemoteRef.key (not $entry.previousKey) }}
{{- fail (printf "secrets.%s: previousRemoteRef needs previousKey" $name) }}
{{- end }}
{{- if and $entry.remoteRef.key (not $.Values.externalSecrets.storeRef.name) }}
{{- fail (printf "secrets.%s: remoteRef needs externalSecrets.storeRef.name" $name) }}
{{- end }}
{{- $stored := has $name (list "databaseUrl" "redisUrl") }}
{{- $embedded := eq $.Values.storage.mode "embedded" }}
{{- if and $stored $embedded (include "parlor.secretName" (list $ $name)) }}
{{- fail (printf "secrets.%s is not used with storage.mode embedded: remove it" $name) }}
{{- end }}
{{- $needed := and $known.required (not (and $stored $embedded)) }}
{{- if and $needed (not (include "parlor.secretName" (list $ $name))) }}
{{- fail (printf "secrets.%s: set existingSecret to the name of a Secret, or remoteRef.key to make one from a store" $name) }}
{{- end }}
{{- end }}
{{- end }}

{{- define "parlor.checkEdge" -}}
{{- $routes := .Values.gatewayApi -}}
{{- if and $routes.enabled .Values.ingress.enabled }}
{{- fail "gatewayApi.enabled and ingress.enabled exclude each other" }}
{{- end }}
{{- if $routes.enabled }}
{{- if not (and $routes.http.parentRefs $routes.http.hostnames) }}
{{- fail "gatewayApi.http needs parentRefs and hostnames" }}
{{- end }}
{{- $parents := $routes.grpc.parentRefs | default $routes.http.parentRefs }}
{{- range $routes.grpc.hostnames }}
{{- if and (has . $routes.http.hostnames) (eq (toJson $parents) (toJson $routes.http.parentRefs)) }}
{{- fail (printf "gatewayApi: %s is a host of both http and grpc on the same listener; one route would be refused" .) }}
{{- end }}
{{- end }}
{{- if and $routes.backendTls.enabled (not .Values.gateway.tls.existingSecret) }}
{{- fail "gatewayApi.backendTls needs gateway.tls.existingSecret: the gateway speaks plain text" }}
{{- end }}
{{- end }}
{{- if .Values.ingress.enabled }}
{{- if not .Values.ingress.http.hosts }}
{{- fail "ingress.http needs hosts" }}
{{- end }}
{{- range .Values.ingress.grpc.hosts }}
{{- if has . $.Values.ingress.http.hosts }}
{{- fail (printf "ingress: %s is a host of both http and grpc" .) }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}

{{- define "parlor.checkRollout" -}}
{{- $rollout := .Values.gateway.rollout -}}
{{- if and $rollout.enabled (not $rollout.analysis.prometheusAddress) }}
{{- fail "gateway.rollout needs analysis.prometheusAddress: a canary that nobody judges is no canary" }}
{{- end }}
{{- end }}

{{- define "parlor.checkTables" -}}
{{- if ge (int .Values.table.partition) (int .Values.table.replicas) }}
{{- fail (printf "table.partition %d leaves no pod to update" (int .Values.table.partition)) }}
{{- end }}
{{- end }}

{{- define "parlor.checkPorts" -}}
{{- range $service := include "parlor.services" . | fromYamlArray }}
{{- if eq (int (index $.Values.ports $service)) (int $.Values.ports.admin) }}
{{- fail (printf "ports: %d is used twice, by %s and admin" (int $.Values.ports.admin) $service) }}
{{- end }}
{{- end }}
{{- end }}

{{- define "parlor.checkTls" -}}
{{- $hours := "^[0-9]+h$" -}}
{{- $duration := .Values.tls.duration -}}
{{- $before := .Values.tls.renewBefore -}}
{{- if and (regexMatch $hours $duration) (regexMatch $hours $before) }}
{{- if ge (int (trimSuffix "h" $before)) (int (trimSuffix "h" $duration)) }}
{{- fail "tls.renewBefore must be shorter than tls.duration" }}
{{- end }}
{{- end }}
{{- if and .Values.tls.enabled (not .Values.tls.issuerRef.name) }}
{{- fail "tls.enabled needs tls.issuerRef.name, a cert-manager issuer" }}
{{- end }}
{{- end }}
