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

{{- /* More than one pod: they share a database, the files and the key of sealed secrets, or an upload of one is missing in another. */ -}}
{{- define "kenning.requireShared" -}}
{{- if or (gt (int .Values.replicas) 1) (gt (int .Values.worker.replicas) 0) }}
{{- if not .Values.database.existingSecret }}
{{- fail "more than one pod needs a PostgreSQL: set database.existingSecret" }}
{{- end }}
{{- if not (or .Values.persistence.existingClaim (and (index .Values.env "KENNING_BLOBS") .Values.secretKey.existingSecret)) }}
{{- fail "more than one pod needs one place for the files: set persistence.existingClaim to a volume that all nodes mount (ReadWriteMany), or env.KENNING_BLOBS to a bucket and secretKey.existingSecret" }}
{{- end }}
{{- end }}
{{- end -}}

{{- /* The pod of a role (all: API and worker, supervised), with its component, resources, and whether it brings a volume: a claim of a
StatefulSet does. */ -}}
{{- define "kenning.pod" -}}
metadata:
  labels:
    {{- include "kenning.labels" .root | nindent 4 }}
    app.kubernetes.io/component: {{ .component }}
  {{- with .root.Values.podAnnotations }}
  annotations: {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  automountServiceAccountToken: false
  # Of a Service named kenning Kubernetes would set KENNING_PORT to tcp://….
  enableServiceLinks: false
  terminationGracePeriodSeconds: 60
  securityContext: {{- toYaml .root.Values.podSecurityContext | nindent 4 }}
  {{- with .root.Values.imagePullSecrets }}
  imagePullSecrets: {{- toYaml . | nindent 4 }}
  {{- end }}
  containers:
    - name: kenning
      image: {{ include "kenning.image" .root | quote }}
      imagePullPolicy: {{ .root.Values.image.pullPolicy }}
      securityContext: {{- toYaml .root.Values.securityContext | nindent 8 }}
      {{- if .root.Values.maintenance }}
      command: ["tini", "--", "sleep", "infinity"]
      {{- end }}
      {{- include "kenning.settings" (dict "root" .root "role" .role) | nindent 6 }}
      ports:
        - name: http
          containerPort: 8484
        {{- with index .root.Values.env "KENNING_METRICS_PORT" }}
        # By their names Prometheus finds them (deploy/observe).
        {{- if ne $.role "worker" }}
        - name: metrics-api
          containerPort: {{ int . }}
        {{- end }}
        {{- if ne $.role "api" }}
        - name: metrics-worker
          containerPort: {{ add1 (int .) }}
        {{- end }}
        {{- end }}
      {{- if not .root.Values.maintenance }}
      {{- if eq .component "api" }}
      # Until the Service has stopped sending requests here.
      lifecycle:
        preStop:
          exec: { command: [sleep, "5"] }
      {{- end }}
      # A worker by itself answers the same checks. A migration may take minutes: each listens only after it.
      startupProbe:
        httpGet: { path: /healthz, port: http }
        periodSeconds: 5
        failureThreshold: 240
      livenessProbe:
        httpGet: { path: /healthz, port: http }
        periodSeconds: 20
        timeoutSeconds: 10
        failureThreshold: 6
      readinessProbe:
        httpGet: { path: /readyz, port: http }
        periodSeconds: 5
        timeoutSeconds: 5
      {{- end }}
      resources: {{- toYaml .resources | nindent 8 }}
      volumeMounts:
        - { name: data, mountPath: /data }
        - { name: tmp, mountPath: /tmp }
        {{- if .root.Values.secretKey.existingSecret }}
        - { name: key, mountPath: /data/secret.key, subPath: secret.key, readOnly: true }
        {{- end }}
        {{- with .root.Values.extraVolumeMounts }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
  volumes:
    - name: tmp
      emptyDir: { sizeLimit: 4Gi }
    {{- if .root.Values.persistence.existingClaim }}
    - name: data
      persistentVolumeClaim:
        claimName: {{ .root.Values.persistence.existingClaim }}
    {{- else if eq .component "worker" }}
    # The files are in the bucket: here are those that are being read, and pictures of pages.
    - name: data
      emptyDir: { sizeLimit: {{ .root.Values.worker.scratch }} }
    {{- end }}
    {{- with .root.Values.secretKey.existingSecret }}
    - name: key
      secret:
        secretName: {{ . }}
        defaultMode: 0440
    {{- end }}
    {{- with .root.Values.extraVolumes }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  {{- with .root.Values.nodeSelector }}
  nodeSelector: {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .root.Values.tolerations }}
  tolerations: {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .root.Values.affinity }}
  affinity: {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end -}}

{{- /* Settings of a container of a role. */ -}}
{{- define "kenning.settings" -}}
env:
  - name: KENNING_ROLE
    value: {{ .role }}
  - name: KENNING_BASE_URL
    value: {{ required "baseUrl must be set: https://…/v1" .root.Values.baseUrl | quote }}
  {{- if .root.Values.trustedProxies }}
  - name: KENNING_TRUSTED_PROXIES
    value: {{ .root.Values.trustedProxies | quote }}
  {{- end }}
  {{- if .root.Values.database.existingSecret }}
  - name: DATABASE_URL
    valueFrom:
      secretKeyRef:
        name: {{ .root.Values.database.existingSecret }}
        key: {{ .root.Values.database.key }}
  {{- end }}
  {{- range $name, $value := .root.Values.env }}
  - name: {{ $name }}
    value: {{ $value | quote }}
  {{- end }}
{{- with .root.Values.envFrom }}
envFrom: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{- define "kenning.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}

{{- /* ingress-nginx refuses bodies of more than 1 MB, closes what is silent for a minute, and sends an upload on only when it has all of
it. As deploy/nginx/kenning.conf. */ -}}
{{- define "kenning.ingressNginx" -}}
nginx.ingress.kubernetes.io/proxy-body-size: "0"
nginx.ingress.kubernetes.io/proxy-read-timeout: "3600"
nginx.ingress.kubernetes.io/proxy-send-timeout: "3600"
nginx.ingress.kubernetes.io/proxy-buffering: "off"
nginx.ingress.kubernetes.io/proxy-request-buffering: "off"
{{- end -}}
