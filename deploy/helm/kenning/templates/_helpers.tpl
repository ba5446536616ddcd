{{- define "kenning.name" -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}

{{- define "kenning.selector" -}}
app.kubernetes.io/name: kenning
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "kenning.labels" -}}
{{ include "kenning.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end -}}
