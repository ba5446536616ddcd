// The chart as a real Helm renders it: what is there by default, what values add, and what they may not do.

import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'

const helm = process.env.KENNING_HELM
if (!helm) throw new Error('KENNING_HELM names no Helm: run `npm run test:helm`.')
const program: string = helm
const CHART = 'deploy/helm/kenning'
const BASE = ['baseUrl=https://kenning.example.org/v1']
const SHARED = [...BASE, 'database.existingSecret=db', 'persistence.existingClaim=files']
const FIGURES = ['env.KENNING_METRICS_PORT=9464', 'env.KENNING_METRICS_HOST=0.0.0.0']

interface Resource {
  kind: string
  metadata: { name: string; labels: Record<string, string> }
  // biome-ignore lint/suspicious/noExplicitAny: YAML of many kinds
  spec: any
}

const run = (args: string[], values: string[]) =>
  spawnSync(program, [...args, CHART, ...values.flatMap((value) => ['--set', value])], { encoding: 'utf8' })

function render(...values: string[]): Resource[] {
  const { status, stdout, stderr } = run(['template', 'kenning', '--namespace', 'docs'], values)
  expect(stderr).toBe('')
  expect(status).toBe(0)
  return parseAllDocuments(stdout)
    .map((document) => document.toJS() as Resource | null)
    .filter((one) => one !== null)
}

const refusal = (...values: string[]): string => {
  const { status, stderr } = run(['template', 'kenning'], values)
  expect(status).toBe(1)
  return stderr
}
const named = (resources: readonly Resource[]): string[] =>
  resources.map(({ kind, metadata }) => `${kind} ${metadata.name}`).sort()
const only = (resources: readonly Resource[], kind: string): Resource => {
  const [one, ...more] = resources.filter((resource) => resource.kind === kind)
  if (!one || more.length > 0) throw new Error(`${named(resources)}: not one ${kind}`)
  return one
}

test('by default there is the pod and its Service', () => {
  expect(named(render(...BASE))).toEqual(['Service kenning', 'StatefulSet kenning'])
})

test('it is well formed with everything on', () => {
  const all = [
    'replicas=2',
    'worker.replicas=2',
    'ingress.enabled=true',
    'ingress.host=kenning.example.org',
    'backup.enabled=true',
    'backup.existingClaim=backups',
    'serviceMonitor.enabled=true',
    'networkPolicy.enabled=true',
  ]
  const { status, stdout } = run(['lint', '--strict'], [...SHARED, ...FIGURES, ...all])
  expect(stdout).toContain('0 chart(s) failed')
  expect(status).toBe(0)
  expect(named(render(...SHARED, ...FIGURES, ...all))).toEqual([
    'CronJob kenning-backup',
    'Deployment kenning-worker',
    'Ingress kenning',
    'NetworkPolicy kenning',
    'PodDisruptionBudget kenning-api',
    'PodDisruptionBudget kenning-worker',
    'Service kenning',
    'Service kenning-metrics',
    'ServiceMonitor kenning',
    'StatefulSet kenning',
  ])
})

test('a budget for disruptions where a role has two pods, which it selects; off by a value', () => {
  const two = render(...SHARED, 'replicas=2', 'worker.replicas=1')
  const budget = only(two, 'PodDisruptionBudget')
  expect(budget.spec.maxUnavailable).toBe(1)
  const { labels } = only(two, 'StatefulSet').spec.template.metadata
  expect(labels).toMatchObject(budget.spec.selector.matchLabels)
  expect(only(two, 'Deployment').spec.template.metadata.labels).not.toMatchObject(
    budget.spec.selector.matchLabels,
  )
  const off = render(...SHARED, 'replicas=2', 'podDisruptionBudget.enabled=false')
  expect(named(off)).not.toContain('PodDisruptionBudget kenning-api')
})

test('a network policy opens HTTP to whom it names, and figures to nobody else', () => {
  const open = only(render(...SHARED, ...FIGURES, 'networkPolicy.enabled=true'), 'NetworkPolicy')
  expect(open.spec.policyTypes).toEqual(['Ingress'])
  expect(open.spec.ingress).toEqual([{ ports: [{ port: 'http', protocol: 'TCP' }] }])
  const peer = (namespace: string): string =>
    `namespaceSelector.matchLabels.kubernetes\\.io/metadata\\.name=${namespace}`
  const closed = only(
    render(
      ...SHARED,
      ...FIGURES,
      'networkPolicy.enabled=true',
      `networkPolicy.from[0].${peer('ingress')}`,
      `networkPolicy.metricsFrom[0].${peer('monitoring')}`,
      'networkPolicy.egress[0].to[0].ipBlock.cidr=10.0.0.0/8',
    ),
    'NetworkPolicy',
  )
  const [http, figures] = closed.spec.ingress
  expect(JSON.stringify(http.from)).toContain('ingress')
  expect(JSON.stringify(figures.from)).toContain('monitoring')
  expect(figures.ports.map(({ port }: { port: string }) => port)).toEqual(['metrics-api', 'metrics-worker'])
  expect(closed.spec.policyTypes).toEqual(['Ingress', 'Egress'])
})

test('Prometheus finds the figures of every pod, under the job that the alerts name', () => {
  const resources = render(
    ...SHARED,
    ...FIGURES,
    'worker.replicas=1',
    'serviceMonitor.enabled=true',
    'serviceMonitor.labels.release=stack',
  )
  const monitor = only(resources, 'ServiceMonitor')
  expect(monitor.metadata.labels.release).toBe('stack')
  const service = resources.find(({ metadata }) => metadata.name === 'kenning-metrics')
  expect(service?.metadata.labels).toMatchObject(monitor.spec.selector.matchLabels)
  expect(
    resources.find(({ kind, metadata }) => kind === 'Service' && metadata.name === 'kenning')?.metadata
      .labels,
  ).not.toMatchObject(monitor.spec.selector.matchLabels)
  expect(service?.metadata.labels[monitor.spec.jobLabel]).toBe('kenning')
  const ports = new Map<string, number>(
    service?.spec.ports.map(({ name, port }: { name: string; port: number }) => [name, port]),
  )
  expect(monitor.spec.endpoints.map(({ port }: { port: string }) => port)).toEqual([...ports.keys()])
  const serving = ['StatefulSet', 'Deployment'].flatMap((kind) => {
    const { metadata, spec } = only(resources, kind).spec.template
    expect(metadata.labels).toMatchObject(service?.spec.selector)
    return spec.containers[0].ports.filter(({ name }: { name: string }) => name.startsWith('metrics-'))
  })
  expect(new Map(serving.map(({ name, containerPort }) => [name, containerPort]))).toEqual(ports)
  expect(refusal(...SHARED, 'serviceMonitor.enabled=true')).toContain('set env.KENNING_METRICS_PORT')
})

test('a backup by a schedule has the settings and the files of the service, and a volume of its own', () => {
  const resources = render(...SHARED, 'backup.enabled=true', 'backup.existingClaim=backups', 'backup.days=30')
  const { schedule, concurrencyPolicy, jobTemplate } = only(resources, 'CronJob').spec
  expect([schedule, concurrencyPolicy]).toEqual(['30 2 * * *', 'Forbid'])
  const pod = jobTemplate.spec.template.spec
  const [container] = pod.containers
  expect(container.command).toEqual(['tini', '--', 'scheduled-backup', '/backups', '30'])
  const service = only(resources, 'StatefulSet').spec.template.spec
  expect(container.env).toEqual(service.containers[0].env)
  expect([container.image, container.securityContext, pod.securityContext]).toEqual([
    service.containers[0].image,
    service.containers[0].securityContext,
    service.securityContext,
  ])
  const claims = (volumes: { name: string; persistentVolumeClaim?: { claimName: string } }[]) =>
    Object.fromEntries(
      volumes.flatMap(({ name, persistentVolumeClaim }) =>
        persistentVolumeClaim ? [[name, persistentVolumeClaim.claimName]] : [],
      ),
    )
  expect(claims(pod.volumes)).toEqual({ backups: 'backups', ...claims(service.volumes) })
  // A pod that takes no requests.
  expect(jobTemplate.spec.template.metadata.labels['app.kubernetes.io/component']).toBe('backup')
})

test('without a volume that all nodes mount the backup runs where the pod is, with a bucket it needs none', () => {
  const backup = ['backup.enabled=true', 'backup.existingClaim=backups', 'database.existingSecret=db']
  const own = render(...BASE, ...backup)
  const near = only(own, 'CronJob').spec.jobTemplate.spec.template.spec
  const [claim] = only(own, 'StatefulSet').spec.volumeClaimTemplates
  expect(JSON.stringify(near.volumes)).toContain(`"claimName":"${claim.metadata.name}-kenning-0"`)
  const [term] = near.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution
  expect(only(own, 'StatefulSet').spec.template.metadata.labels).toMatchObject(term.labelSelector.matchLabels)
  const bucket = render(...BASE, ...backup, 'env.KENNING_BLOBS=s3://files', 'secretKey.existingSecret=key')
  const anywhere = only(bucket, 'CronJob').spec.jobTemplate.spec.template.spec
  expect(anywhere.affinity).toBeUndefined()
  expect(anywhere.containers[0].volumeMounts).toContainEqual(
    expect.objectContaining({ name: 'key', mountPath: '/data/secret.key' }),
  )
})

test('a backup that could not work is refused', () => {
  expect(refusal(...BASE, 'backup.enabled=true', 'backup.existingClaim=b')).toContain(
    'backup needs a PostgreSQL',
  )
  expect(refusal(...SHARED, 'backup.enabled=true')).toContain('backup.existingClaim must be set')
})

test('ingress-nginx gets what the file for nginx says, and an annotation of yours wins', () => {
  const file = readFileSync('deploy/nginx/kenning.conf', 'utf8')
  const ingress = (...values: string[]) =>
    (
      only(render(...BASE, 'ingress.enabled=true', 'ingress.host=kenning.example.org', ...values), 'Ingress')
        .metadata as Resource['metadata'] & { annotations?: Record<string, string> }
    ).annotations ?? {}
  const annotations = ingress('ingress.nginx=true')
  const said = (directive: string): string =>
    new RegExp(`${directive} (\\S+);`).exec(file)?.[1] ?? 'not there'
  const prefix = 'nginx.ingress.kubernetes.io/proxy-'
  expect(annotations).toEqual({
    [`${prefix}body-size`]: said('client_max_body_size'),
    [`${prefix}buffering`]: said('proxy_buffering'),
    [`${prefix}request-buffering`]: said('proxy_request_buffering'),
    // Seconds, without a unit.
    [`${prefix}read-timeout`]: String(Number.parseInt(said('proxy_read_timeout'), 10) * 3600),
    [`${prefix}send-timeout`]: String(Number.parseInt(said('proxy_send_timeout'), 10) * 3600),
  })
  const own = ingress(
    'ingress.nginx=true',
    'ingress.annotations.nginx\\.ingress\\.kubernetes\\.io/proxy-body-size=2g',
  )
  expect(own[`${prefix}body-size`]).toBe('2g')
  expect(own[`${prefix}buffering`]).toBe('off')
  expect(ingress()).toEqual({})
})

test('for maintenance nothing runs beside the pod', () => {
  const values = ['replicas=2', 'maintenance=true', 'backup.enabled=true', 'backup.existingClaim=b']
  expect(named(render(...SHARED, ...values))).toEqual(['Service kenning', 'StatefulSet kenning'])
})
