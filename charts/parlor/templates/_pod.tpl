{{/*
Security of a pod and of a container: what the `restricted` Pod Security Standard asks for, and a
file system that cannot be written. Hooks, tests and init containers use the same two.
*/}}
{{- define "parlor.podSecurity" -}}
runAsNonRoot: true
{{- if .Values.runAs.user }}
runAsUser: {{ int .Values.runAs.user }}
runAsGroup: {{ int .Values.runAs.user }}
fsGroup: {{ int .Values.runAs.user }}
# Large volumes are not walked through at each start.
fsGroupChangePolicy: OnRootMismatch
{{- end }}
seccompProfile:
  type: RuntimeDefault
{{- end }}

{{- define "parlor.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop:
    - ALL
{{- end }}

{{- define "parlor.pullSecrets" -}}
{{- $secrets := concat .Values.global.imagePullSecrets .Values.image.pullSecrets | uniq -}}
{{- with $secrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- end }}

{{/*
The three probes: (list $ service workload). gRPC health by different names, so that a pod that
drains or waits for its database leaves its Service without being killed: `liveness` fails only when
the process cannot answer, never because of a peer. The kubelet cannot speak TLS to a gRPC probe;
with TLS on the port it asks the admin port instead.
*/}}
{{- define "parlor.probes" -}}
{{- $root := index . 0 -}}
{{- $service := index . 1 -}}
{{- $probes := (index . 2).probes -}}
{{- $edgeTls := ne $root.Values.gateway.tls.existingSecret "" -}}
{{- $tls := ternary $edgeTls $root.Values.tls.enabled (eq $service "gateway") -}}
{{- $health := (index (include "parlor.catalogue" $root | fromYaml) $service).health -}}
{{- $port := index $root.Values.ports $service -}}
{{- range $probe := list "startup" "readiness" "liveness" }}
{{ $probe }}Probe:
  {{- if $tls }}
  httpGet:
    path: {{ ternary "/livez" "/readyz" (eq $probe "liveness") }}
    port: admin
  {{- else }}
  grpc:
    # A gRPC probe takes no port by name.
    port: {{ $port }}
    service: {{ ternary "liveness" $health (eq $probe "liveness") }}
  {{- end }}
  {{- toYaml (index $probes $probe) | nindent 2 }}
{{- end }}
{{- end }}

{{/* Spread over zones and hosts: (list $ service workload kind). */}}
{{- define "parlor.spread" -}}
{{- $root := index . 0 -}}
{{- $service := index . 1 -}}
{{- $spread := (index . 2).spread -}}
{{- $revision := ternary "controller-revision-hash" "pod-template-hash"
  (eq (index . 3) "StatefulSet") -}}
{{- if eq (index . 3) "Rollout" }}{{ $revision = "rollouts-pod-template-hash" }}{{ end -}}
{{- range $key, $when := dict "topology.kubernetes.io/zone" $spread.zone
  "kubernetes.io/hostname" $spread.host }}
{{- if ne $when "off" }}
- topologyKey: {{ $key }}
  maxSkew: 1
  whenUnsatisfiable: {{ ternary "DoNotSchedule" "ScheduleAnyway" (eq $when "hard") }}
  labelSelector:
    matchLabels:
      {{- include "parlor.selector" (list $root $service) | nindent 6 }}
  # Counts the pods of one revision only: the old ones are about to go.
  matchLabelKeys:
    - {{ $revision }}
{{- end }}
{{- end }}
{{- end }}

{{/* Volumes that a service of ours has by itself: (list $ service workload). */}}
{{- define "parlor.volumes" -}}
{{- $root := index . 0 -}}
{{- $service := index . 1 -}}
{{- $workload := index . 2 -}}
{{- $secrets := (index (include "parlor.catalogue" $root | fromYaml) $service).secrets -}}
{{- with include "parlor.secretSources" (list $root $secrets) }}
- name: secrets
  projected:
    defaultMode: 0440
    sources:
      {{- . | nindent 6 }}
{{- end }}
{{- if $root.Values.tls.enabled }}
- name: tls
  secret:
    secretName: {{ include "parlor.componentName" (list $root $service) }}-tls
    defaultMode: 0440
{{- end }}
{{- if and (eq $service "gateway") $root.Values.gateway.tls.existingSecret }}
- name: edge-tls
  secret:
    secretName: {{ $root.Values.gateway.tls.existingSecret }}
    defaultMode: 0440
{{- end }}
{{- if include "parlor.hasQueues" (list $root $service) }}
- name: queues
  configMap:
    name: {{ include "parlor.componentName" (list $root $service) }}-queues
{{- end }}
{{- with $workload.extraVolumes }}
{{ tpl (toYaml .) $root }}
{{- end }}
{{- end }}

{{- define "parlor.mounts" -}}
{{- $root := index . 0 -}}
{{- $service := index . 1 -}}
{{- $workload := index . 2 -}}
{{- $secrets := (index (include "parlor.catalogue" $root | fromYaml) $service).secrets -}}
{{- if include "parlor.secretSources" (list $root $secrets) }}
- name: secrets
  mountPath: /etc/parlor/secrets
  readOnly: true
{{- end }}
{{- if $root.Values.tls.enabled }}
- name: tls
  mountPath: /etc/parlor/tls
  readOnly: true
{{- end }}
{{- if and (eq $service "gateway") $root.Values.gateway.tls.existingSecret }}
- name: edge-tls
  mountPath: /etc/parlor/edge
  readOnly: true
{{- end }}
{{- if include "parlor.hasData" (list $root $service) }}
- name: data
  mountPath: /var/lib/parlor
{{- end }}
{{- if include "parlor.hasQueues" (list $root $service) }}
- name: queues
  mountPath: /etc/parlor/queues
  readOnly: true
{{- end }}
{{- with $workload.extraVolumeMounts }}
{{ tpl (toYaml .) $root }}
{{- end }}
{{- end }}

{{/* The one pod template of all services: (list $ service workload kind). */}}
{{- define "parlor.pod" -}}
{{- $root := index . 0 -}}
{{- $service := index . 1 -}}
{{- $workload := index . 2 -}}
{{- $kind := index . 3 -}}
{{- $values := $root.Values -}}
{{- $secrets := (index (include "parlor.catalogue" $root | fromYaml) $service).secrets -}}
metadata:
  labels:
    {{- /* Without the chart's version: a new chart alone must not restart a single table. */}}
    {{- include "parlor.selector" (list $root $service) | nindent 4 }}
    app.kubernetes.io/part-of: parlor
    app.kubernetes.io/version: {{ include "parlor.version" $root | quote }}
    {{- with $values.commonLabels }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
    {{- with $workload.podLabels }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  annotations:
    kubectl.kubernetes.io/default-container: parlor
    {{- if $values.metrics.annotations }}
    prometheus.io/scrape: "true"
    prometheus.io/port: {{ $values.ports.admin | toString | quote }}
    prometheus.io/path: /metrics
    {{- end }}
    {{- if include "parlor.hasQueues" (list $root $service) }}
    # Queues are read at the start: other queues, other pods.
    checksum/queues: {{ include "parlor.queues" $root | sha256sum }}
    {{- end }}
    {{- with $values.commonAnnotations }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
    {{- with $workload.podAnnotations }}
    {{- tpl (toYaml .) $root | nindent 4 }}
    {{- end }}
spec:
  serviceAccountName: {{ include "parlor.serviceAccountName" (list $root $service $workload) }}
  # No service speaks to the Kubernetes API.
  automountServiceAccountToken: false
  # Hundreds of variables that nobody reads, and one of ours could be taken for a setting.
  enableServiceLinks: false
  {{- include "parlor.pullSecrets" $root | nindent 2 }}
  securityContext:
    {{- include "parlor.podSecurity" $root | nindent 4 }}
  terminationGracePeriodSeconds: {{ include "parlor.graceSeconds" $workload }}
  {{- with $workload.priorityClassName }}
  priorityClassName: {{ . }}
  {{- end }}
  {{- with $workload.runtimeClassName }}
  runtimeClassName: {{ . }}
  {{- end }}
  {{- with $workload.nodeSelector }}
  nodeSelector:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $workload.tolerations }}
  tolerations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $workload.affinity }}
  affinity:
    {{- tpl (toYaml .) $root | nindent 4 }}
  {{- end }}
  {{- with include "parlor.spread" (list $root $service $workload $kind) }}
  topologySpreadConstraints:
    {{- . | nindent 4 }}
  {{- end }}
  {{- with $workload.hostAliases }}
  hostAliases:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $workload.dnsPolicy }}
  dnsPolicy: {{ . }}
  {{- end }}
  {{- with $workload.dnsConfig }}
  dnsConfig:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $workload.initContainers }}
  initContainers:
    {{- tpl (toYaml .) $root | nindent 4 }}
  {{- end }}
  containers:
    - name: parlor
      image: {{ include "parlor.image" $root }}
      imagePullPolicy: {{ $values.image.pullPolicy }}
      args:
        - run
        - {{ $service }}
        {{- with $workload.extraArgs }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      securityContext:
        {{- include "parlor.containerSecurity" $root | nindent 8 }}
      ports:
        - name: {{ ternary "players" "grpc" (eq $service "gateway") }}
          containerPort: {{ index $values.ports $service }}
        - name: admin
          containerPort: {{ $values.ports.admin }}
      env:
        {{- include "parlor.environment" (list $root $service $workload) | nindent 8 }}
        {{- include "parlor.secretEnvironment" (list $root $secrets) | nindent 8 }}
        {{- include "parlor.storeEnvironment" (list $root $service) | nindent 8 }}
        {{- with $workload.extraEnv }}
        {{- tpl (toYaml .) $root | nindent 8 }}
        {{- end }}
      {{- with $workload.extraEnvFrom }}
      envFrom:
        {{- tpl (toYaml .) $root | nindent 8 }}
      {{- end }}
      {{- include "parlor.probes" (list $root $service $workload) | nindent 6 }}
      lifecycle:
        {{- if $workload.lifecycle }}
        {{- toYaml $workload.lifecycle | nindent 8 }}
        {{- else }}
        # Endpoints, proxies and load balancers need this long to learn that the pod is going.
        preStop:
          sleep:
            seconds: {{ int $workload.drain.preStopSeconds }}
        {{- end }}
      resources:
        {{- toYaml $workload.resources | nindent 8 }}
      {{- with include "parlor.mounts" (list $root $service $workload) }}
      volumeMounts:
        {{- . | nindent 8 }}
      {{- end }}
    {{- with $workload.extraContainers }}
    {{- tpl (toYaml .) $root | nindent 4 }}
    {{- end }}
  {{- with include "parlor.volumes" (list $root $service $workload) }}
  volumes:
    {{- . | nindent 4 }}
  {{- end }}
{{- end }}

{{/* The pod template of a workload whose volume, if it has one, is a claim of its own. */}}
{{- define "parlor.podWithData" -}}
{{- $pod := include "parlor.pod" . | fromYaml -}}
{{- if include "parlor.hasData" (list (index . 0) (index . 1)) -}}
{{- $claim := dict "claimName" (include "parlor.componentName" .) -}}
{{- $volume := dict "name" "data" "persistentVolumeClaim" $claim -}}
{{- $_ := set $pod.spec "volumes" (append ($pod.spec.volumes | default list) $volume) -}}
{{- end -}}
{{ toYaml $pod }}
{{- end }}

{{/*
Annotations of a Deployment, Rollout or StatefulSet: (list $ service workload). Argo CD's waves
follow the order of the services: whoever is called is updated before its callers.
*/}}
{{- define "parlor.workloadAnnotations" -}}
{{- $wave := 1 -}}
{{- range $index, $service := include "parlor.services" (index . 0) | fromYamlArray -}}
{{- if eq $service (index $ 1) }}{{ $wave = add 1 $index }}{{ end -}}
{{- end -}}
{{- $annotations := dict "argocd.argoproj.io/sync-wave" (toString $wave) -}}
{{- $annotations = mergeOverwrite $annotations (index . 0).Values.commonAnnotations -}}
{{- if (index . 0).Values.reloader -}}
{{- $_ := set $annotations "reloader.stakater.com/auto" "true" -}}
{{- end -}}
{{- $annotations = mergeOverwrite $annotations (index . 2).annotations -}}
{{- with $annotations }}{{ dict "annotations" . | toYaml }}{{ end -}}
{{- end }}
