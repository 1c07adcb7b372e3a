{{/*
Annotations of an object that lives for a hook: (list "migration"|"test" weight). Argo CD runs
pre-install and pre-upgrade hooks before each sync, and takes the weight for the wave; it does not
run tests.
*/}}
{{- define "parlor.hookAnnotations" -}}
helm.sh/hook: {{ ternary "test" "pre-install,pre-upgrade" (eq (index . 0) "test") }}
helm.sh/hook-weight: {{ index . 1 | toString | quote }}
helm.sh/hook-delete-policy: before-hook-creation
{{- end }}
