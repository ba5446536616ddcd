// The settings. This is the only file that reads the environment. An error names every setting that is wrong.

import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { isAbsolute, relative, resolve } from 'node:path'
import { z } from 'zod'
import type { GroupGrant } from './config/group-grants.ts'
import { type AllowedLocation, settings } from './config/settings.ts'
import { unknownSettings } from './config/unknown-settings.ts'

export { settings } from './config/settings.ts'

const ALL_INTERFACES = ['0.0.0.0', '::']
const LOOPBACK = ['localhost', '127.0.0.1', '::1']
/**
 * Anybody can get an account at these issuers, so without KENNING_OIDC_GROUPS anybody could sign in. The UUID is Microsoft's tenant
 * of personal accounts.
 */
const PUBLIC_ISSUERS =
  /^https:\/\/(accounts\.google\.com|login\.microsoftonline\.com\/(common|consumers|organizations|9188040d-6c67-4c5b-b112-36a304b66dad))(\/|$)/

const optional = z.string().min(1).optional()

/** Set by the supervisor for its children only. */
const INTERNAL_SETTINGS = {
  KENNING_CHILD: z.enum(['api', 'worker']).optional(),
  KENNING_ENGINE_SOCKET: optional,
  KENNING_WORKER_NAME: optional,
}

/** Settings of the commands that use a service (kenning search, ask …). The service does not read them. */
const CLIENT_SETTINGS = ['KENNING_SERVER', 'KENNING_TOKEN']

interface ModelServer {
  url: string
  model: string
  key: string | undefined
}

export interface Config {
  host: string
  port: number
  /** The public address of the API: `siteUrl` and `/v1`. */
  baseUrl: string
  /** The public address of the console, without a slash at its end: an origin, and a path where Kenning shares that origin. */
  siteUrl: string
  origin: string
  askPerHour: number
  searchMemoryMb: number
  /** Copies that the embedded database makes of itself; undefined: none. */
  copies: { days: number; maxBytes: number } | undefined
  llm: (ModelServer & { contextTokens: number | undefined }) | undefined
  llmFallback: 'extractive' | 'none'
  rerank: { url: string; model: string | undefined; key: string | undefined } | undefined
  /** Token limit of the model for the graph of a workspace; undefined: administrators may set it in the console. */
  graphTokens: number | undefined
  dataDir: string
  /** Where the worker writes backups; undefined: none can be begun in the console. */
  backupDir: string | undefined
  /** The bucket of uploaded files; undefined: they are in the data folder. `prefix` is empty or ends with a slash. */
  blobs:
    | { endpoint: string; region: string; bucket: string; prefix: string; keyId: string; secret: string }
    | undefined
  /** Tesseract's codes, the likeliest first; undefined: every installed language. */
  ocrLanguages: string[] | undefined
  /** Recognises scans and pictures in place of Tesseract. */
  ocrServer: { url: string; key: string | undefined } | undefined
  /** Whether text in pictures inside documents is recognised. */
  pictureText: boolean
  embedder: {
    choice: 'auto' | 'sentence' | 'onnx' | 'openai' | 'none'
    server: ModelServer | undefined
    onnxModel: string | undefined
  }
  admin: { email: string; password: string } | undefined
  signup: 'closed' | 'open'
  trustedProxies: string[]
  corsOrigins: string[]
  mail: { url: string; from: string } | undefined
  company:
    | {
        issuer: string
        clientId: string
        clientSecret: string
        scopes: string[] | undefined
        acceptsUnverifiedEmail: boolean
        groups: string[]
        groupsClaim: string
        roles: GroupGrant[]
        label: string
      }
    | undefined
  sources: { folders: AllowedLocation[]; remotes: AllowedLocation[] }
  /** Networks that sources, webhooks and models may reach besides the public internet. */
  privateNetworks: string[]
  /** How the network is reached, by this process and by the children that read sources. */
  network: {
    proxies: { http: string | undefined; https: string | undefined }
    noProxy: readonly string[]
    proxyResolves: boolean
    /** Certificates in PEM. */
    authorities: string | undefined
  }
  /** How long a run of a source may take. */
  sourceHours: number
  /** The environment of the programs that read sources, without Kenning's own settings. */
  programEnvironment: Record<string, string>
  databaseUrl: string | undefined
  /** A replica of the database, for reads of requests. */
  readDatabaseUrl: string | undefined
  /** The password of the request role between nodes of Citus. */
  nodePassword: string | undefined
  role: 'all' | 'api' | 'worker'
  /** Where the API serves its metrics. The worker uses the next port. */
  metrics: { host: string; port: number } | undefined
  /** Where traces go, by OTLP over HTTP. `url` has its path. */
  traces: { url: string; headers: Record<string, string>; service: string } | undefined
  logLevel: string
  /** A worker that starts frees all tasks claimed under its name, so two living workers must not share one. */
  workerName: string
  /** Sentences for the log about what is allowed but unwise. */
  warnings: string[]
  /** Set in a child of the supervisor. */
  child: { role: 'api' | 'worker'; socketDir: string | undefined } | undefined
}

/** One line for each setting that is wrong, with its name. */
export class ConfigError extends Error {
  readonly problems: string[]
  constructor(problems: string[]) {
    super(problems.join('\n'))
    this.name = 'ConfigError'
    this.problems = problems
  }
}

const NETWORK_SETTINGS =
  /^(https?_proxy|no_proxy|kenning_proxy_resolves|kenning_ca_file|node_extra_ca_certs)$/i

/** The settings of the network alone, for commands against a service. @throws ConfigError */
export const readNetwork = (environment: NodeJS.ProcessEnv): Config['network'] =>
  readConfig(Object.fromEntries(Object.entries(environment).filter(([name]) => NETWORK_SETTINGS.test(name))))
    .network

/** @throws ConfigError */
export function readConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const problems: string[] = []
  const parse = <Schema extends z.ZodType>(name: string, schema: Schema): z.output<Schema> => {
    // An empty value counts as unset: `KENNING_PORT=` in a compose file.
    const value = environment[name] || (name.endsWith('_PROXY') && environment[name.toLowerCase()])
    const result = schema.safeParse(value || undefined)
    if (!result.success) problems.push(`${name}: ${result.error.issues[0]?.message ?? 'is wrong'}`)
    return result.data as z.output<Schema>
  }
  const readSetting: Read = (name) => parse(name, settings[name].schema) as never
  const isSet = (name: string): boolean => Boolean(environment[name])
  const reader: SettingsReader = { read: readSetting, isSet, problems }
  const host = readSetting('KENNING_HOST')
  const port = readSetting('KENNING_PORT')
  const givenBaseUrl = readSetting('KENNING_BASE_URL')
  const databaseUrl = readSetting('DATABASE_URL')
  const role = readSetting('KENNING_ROLE')
  const childRole = parse('KENNING_CHILD', INTERNAL_SETTINGS.KENNING_CHILD)
  if (role && role !== 'all' && !isSet('DATABASE_URL')) {
    problems.push(
      `KENNING_ROLE: ${role} alone needs DATABASE_URL; the embedded database can only be used with KENNING_ROLE=all`,
    )
  }
  if (isSet('KENNING_READ_DATABASE_URL') && !isSet('DATABASE_URL')) {
    problems.push('KENNING_READ_DATABASE_URL: is the replica of a server, so DATABASE_URL must be set')
  }
  const needsNoBaseUrl = !host || [...LOOPBACK, ...ALL_INTERFACES].includes(host)
  if (!needsNoBaseUrl && !isSet('KENNING_BASE_URL')) {
    problems.push('KENNING_BASE_URL: must be set (https) when KENNING_HOST is an address of the network')
  }
  const baseUrl = givenBaseUrl ?? `http://${urlHost(host)}:${port}/v1`
  const config: Config = {
    host,
    port,
    baseUrl,
    siteUrl: baseUrl.replace(/\/v1$/, ''),
    origin: baseUrl.replace(/^(\w+:\/\/[^/]*).*$/, '$1'),
    askPerHour: readSetting('KENNING_ASK_PER_HOUR'),
    searchMemoryMb: readSetting('KENNING_SEARCH_MEMORY_MB'),
    copies: readCopies(reader),
    embedder: readEmbedder(reader),
    ocrLanguages: readSetting('KENNING_OCR_LANGUAGES')?.split(','),
    pictureText: readSetting('KENNING_PICTURE_TEXT') === 'on',
    llm: readModel(reader),
    llmFallback: readSetting('KENNING_LLM_FALLBACK'),
    ocrServer: readOcrServer(reader),
    metrics: readMetrics(reader, port),
    traces: readTraces(reader),
    rerank: readRerank(reader),
    graphTokens: readSetting('KENNING_GRAPH_TOKENS'),
    dataDir: resolve(readSetting('KENNING_DATA_DIR') ?? '.'),
    backupDir: readBackupDir(reader),
    blobs: readBlobs(reader),
    admin: readAdmin(reader),
    signup: readSetting('KENNING_SIGNUP'),
    trustedProxies: readSetting('KENNING_TRUSTED_PROXIES'),
    corsOrigins: readSetting('KENNING_CORS_ORIGINS'),
    mail: readMail(reader),
    company: readCompany(reader),
    sources: {
      folders: readSetting('KENNING_SOURCE_FOLDERS'),
      remotes: readSetting('KENNING_SOURCE_REMOTES'),
    },
    privateNetworks: readSetting('KENNING_PRIVATE_NETWORKS'),
    network: {
      proxies: { http: readSetting('HTTP_PROXY'), https: readSetting('HTTPS_PROXY') },
      noProxy: readSetting('NO_PROXY'),
      proxyResolves: readSetting('KENNING_PROXY_RESOLVES') === 'on',
      authorities: readAuthorities(reader, environment.NODE_EXTRA_CA_CERTS),
    },
    sourceHours: readSetting('KENNING_SOURCE_HOURS'),
    programEnvironment: programEnvironment(environment),
    databaseUrl,
    readDatabaseUrl: readSetting('KENNING_READ_DATABASE_URL'),
    nodePassword: readSetting('KENNING_NODE_PASSWORD'),
    role,
    logLevel: readSetting('KENNING_LOG_LEVEL'),
    workerName: parse('KENNING_WORKER_NAME', INTERNAL_SETTINGS.KENNING_WORKER_NAME) ?? newWorkerName(),
    warnings: [
      ...(givenBaseUrl || !ALL_INTERFACES.includes(host) ? [] : [plainHttpWarning(host)]),
      ...unknownSettings(Object.keys(environment), [
        ...Object.keys(settings),
        ...Object.keys(INTERNAL_SETTINGS),
        ...CLIENT_SETTINGS,
      ]),
    ],
    child: childRole && {
      role: childRole,
      socketDir: parse('KENNING_ENGINE_SOCKET', INTERNAL_SETTINGS.KENNING_ENGINE_SOCKET),
    },
  }
  if (problems.length) throw new ConfigError(problems)
  return config
}

/** The variables that rclone, git and Node.js read themselves. */
const PROGRAM_VARIABLES =
  /^(PATH|HOME|USER|TMPDIR|LANG|LC_\w+|XDG_CONFIG_HOME|RCLONE_\w+|AWS_\w+|GOOGLE_APPLICATION_CREDENTIALS|SSL_CERT_(FILE|DIR)|NODE_EXTRA_CA_CERTS|(https?|no|all)_proxy)$/i

const programEnvironment = (environment: NodeJS.ProcessEnv): Record<string, string> =>
  Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) =>
      value !== undefined && PROGRAM_VARIABLES.test(name) ? [[name, value]] : [],
    ),
  )

type Name = keyof typeof settings
/** The value of a setting. If it is wrong, it is undefined and a problem is added. */
type Read = <Setting extends Name>(name: Setting) => z.output<(typeof settings)[Setting]['schema']>

interface SettingsReader {
  read: Read
  /** Whether the setting has a value, valid or not. */
  isSet(name: string): boolean
  problems: string[]
}

function readAdmin(reader: SettingsReader): Config['admin'] {
  requireTogether(reader, ['KENNING_ADMIN_EMAIL', 'KENNING_ADMIN_PASSWORD'])
  const email = reader.read('KENNING_ADMIN_EMAIL')
  const password = reader.read('KENNING_ADMIN_PASSWORD')
  return email && password ? { email, password } : undefined
}

function readBlobs({ read, isSet, problems }: SettingsReader): Config['blobs'] {
  const address = read('KENNING_BLOBS')
  const region = read('KENNING_S3_REGION')
  const endpoint = read('KENNING_S3_ENDPOINT') ?? `https://s3.${region}.amazonaws.com`
  const [keyId, secret] = [read('KENNING_S3_KEY_ID'), read('KENNING_S3_SECRET')]
  for (const name of ['KENNING_S3_KEY_ID', 'KENNING_S3_SECRET'])
    if (isSet('KENNING_BLOBS') && !isSet(name)) problems.push(`${name}: must be set when KENNING_BLOBS is`)
  for (const name of ['KENNING_S3_ENDPOINT', 'KENNING_S3_KEY_ID', 'KENNING_S3_SECRET'])
    if (isSet(name) && !isSet('KENNING_BLOBS')) problems.push(`KENNING_BLOBS: must be set when ${name} is`)
  if (!address || !keyId || !secret) return undefined
  const [bucket = '', ...steps] = address.slice('s3://'.length).split('/').filter(Boolean)
  return { endpoint, region, bucket, prefix: steps.map((step) => `${step}/`).join(''), keyId, secret }
}

function readModel(reader: SettingsReader): Config['llm'] {
  const server = readServer(reader, 'KENNING_LLM')
  return server && { ...server, contextTokens: reader.read('KENNING_LLM_CONTEXT') }
}

function readServer(
  reader: SettingsReader,
  prefix: 'KENNING_LLM' | 'KENNING_EMBEDDINGS',
): ModelServer | undefined {
  requireTogether(reader, [`${prefix}_URL`, `${prefix}_MODEL`])
  const url = reader.read(`${prefix}_URL`)
  const model = reader.read(`${prefix}_MODEL`)
  const key = reader.read(`${prefix}_KEY`)
  return url && model ? { url, model, key } : undefined
}

function readEmbedder(reader: SettingsReader): Config['embedder'] {
  const choice = reader.read('KENNING_EMBEDDER')
  const server = readServer(reader, 'KENNING_EMBEDDINGS')
  const isServerSet = reader.isSet('KENNING_EMBEDDINGS_URL') || reader.isSet('KENNING_EMBEDDINGS_MODEL')
  if (choice === 'openai' && !isServerSet) {
    reader.problems.push(
      'KENNING_EMBEDDINGS_URL: must be set, and KENNING_EMBEDDINGS_MODEL, for KENNING_EMBEDDER=openai',
    )
  }
  return { choice, server, onnxModel: reader.read('KENNING_ONNX_MODEL') }
}

function readRerank({ read, isSet, problems }: SettingsReader): Config['rerank'] {
  const url = read('KENNING_RERANK_URL')
  const model = read('KENNING_RERANK_MODEL')
  const key = read('KENNING_RERANK_KEY')
  if (!isSet('KENNING_RERANK_URL') && (model || key)) {
    problems.push('KENNING_RERANK_URL: must be set when KENNING_RERANK_MODEL or KENNING_RERANK_KEY is')
  }
  return url ? { url, model, key } : undefined
}

function readOcrServer({ read, isSet, problems }: SettingsReader): Config['ocrServer'] {
  const url = read('KENNING_OCR_URL')
  const key = read('KENNING_OCR_KEY')
  if (!isSet('KENNING_OCR_URL') && key) {
    problems.push('KENNING_OCR_URL: must be set when KENNING_OCR_KEY is')
  }
  return url ? { url, key } : undefined
}

/** Backups may not be in the data folder: whatever destroys it would destroy the backups, too. */
function readBackupDir({ read, problems }: SettingsReader): string | undefined {
  const folder = read('KENNING_BACKUP_DIR')
  if (folder === undefined) return undefined
  const pathFromData = relative(resolve(read('KENNING_DATA_DIR') ?? '.'), resolve(folder))
  const isOutside = pathFromData.startsWith('..') || isAbsolute(pathFromData)
  if (pathFromData === '' || !isOutside)
    problems.push('KENNING_BACKUP_DIR: must not be in KENNING_DATA_DIR, whose loss it is for')
  return resolve(folder)
}

/** @param extraFile the file of certificates that Node.js trusts as well; Node.js ignores one that it cannot read, and so do we */
function readAuthorities({ read }: SettingsReader, extraFile: string | undefined): string | undefined {
  const authorities = read('KENNING_CA_FILE')
  if (authorities === undefined || !extraFile) return authorities
  try {
    return `${authorities}\n${readFileSync(extraFile, 'utf8')}`
  } catch {
    return authorities
  }
}

function readCopies({ read }: SettingsReader): Config['copies'] {
  const days = read('KENNING_COPIES')
  return days === 0 ? undefined : { days, maxBytes: read('KENNING_COPIES_MB') * 2 ** 20 }
}

/** @param servicePort the port of the API, and of the health checks of a worker that runs by itself */
function readMetrics({ read, problems }: SettingsReader, servicePort: number): Config['metrics'] {
  const port = read('KENNING_METRICS_PORT')
  const host = read('KENNING_METRICS_HOST')
  if (port !== undefined && [port, port + 1].includes(servicePort)) {
    problems.push(
      `KENNING_METRICS_PORT: it and the port after it, which is the worker's, must be others than KENNING_PORT (${servicePort})`,
    )
  }
  return port === undefined ? undefined : { host, port }
}

function readTraces({ read }: SettingsReader): Config['traces'] {
  const endpoint = read('OTEL_EXPORTER_OTLP_ENDPOINT')
  const headers = read('OTEL_EXPORTER_OTLP_HEADERS') ?? {}
  const service = read('OTEL_SERVICE_NAME')
  if (!endpoint) return undefined
  return { url: `${endpoint.replace(/\/+$/, '')}/v1/traces`, headers, service }
}

function readMail(reader: SettingsReader): Config['mail'] {
  requireTogether(reader, ['KENNING_SMTP_URL', 'KENNING_MAIL_FROM'])
  const url = reader.read('KENNING_SMTP_URL')
  const from = reader.read('KENNING_MAIL_FROM')
  return url && from ? { url, from } : undefined
}

function readCompany(reader: SettingsReader): Config['company'] {
  const { read, isSet, problems } = reader
  requireTogether(reader, ['KENNING_OIDC_ISSUER', 'KENNING_OIDC_CLIENT_ID', 'KENNING_OIDC_CLIENT_SECRET'])
  const issuer = read('KENNING_OIDC_ISSUER')
  const clientId = read('KENNING_OIDC_CLIENT_ID')
  const clientSecret = read('KENNING_OIDC_CLIENT_SECRET')
  const groups = read('KENNING_OIDC_GROUPS')
  if (issuer && PUBLIC_ISSUERS.test(issuer) && !groups?.length) {
    problems.push(
      'KENNING_OIDC_GROUPS: must be set for this provider, where anybody can have an account; for Google set it to your ' +
        'domain, with KENNING_OIDC_GROUPS_CLAIM=hd',
    )
  }
  const acceptsUnverifiedEmail = read('KENNING_OIDC_UNVERIFIED_EMAIL') === 'accept'
  if (issuer && PUBLIC_ISSUERS.test(issuer) && acceptsUnverifiedEmail) {
    problems.push(
      'KENNING_OIDC_UNVERIFIED_EMAIL: must not be accept for this provider, where anybody can have an account with any address',
    )
  }
  const roles = read('KENNING_OIDC_ROLES')
  for (const name of ['KENNING_OIDC_SCOPES', 'KENNING_OIDC_UNVERIFIED_EMAIL', 'KENNING_OIDC_ROLES'])
    if (isSet(name) && !isSet('KENNING_OIDC_ISSUER'))
      problems.push(`KENNING_OIDC_ISSUER: must be set when ${name} is`)
  if (!issuer || !clientId || !clientSecret) return undefined
  return {
    issuer,
    clientId,
    clientSecret,
    scopes: read('KENNING_OIDC_SCOPES'),
    acceptsUnverifiedEmail,
    groups,
    groupsClaim: read('KENNING_OIDC_GROUPS_CLAIM'),
    roles,
    label: read('KENNING_OIDC_LABEL'),
  }
}

/** Adds a problem for each of these settings that is missing if another one of them is set. */
function requireTogether({ isSet, problems }: SettingsReader, names: Name[]): void {
  const set = names.filter(isSet)
  if (set.length === 0) return
  for (const name of names.filter((one) => !isSet(one))) {
    problems.push(`${name}: must be set together with ${set.join(' and ')}`)
  }
}

/** A browser cannot open 0.0.0.0, so the default address is localhost there. */
const urlHost = (host: string): string =>
  ALL_INTERFACES.includes(host) ? 'localhost' : host.includes(':') ? `[${host}]` : host

const plainHttpWarning = (host: string): string =>
  `KENNING_HOST=${host} serves plain http on all interfaces: passwords and tokens can be read on the network. ` +
  'Put a TLS proxy in front of it and set KENNING_BASE_URL to its https address.'

/** Random, since containers on one host may share its name and each have a process 1. */
const newWorkerName = (): string => `${hostname()}:${process.pid}:${randomUUID()}`

/**
 * The environment of a supervised child: that of this process, with the settings that the supervisor decides. A restarted
 * child gets the same.
 */
export function childEnvironment(
  role: 'api' | 'worker',
  socketDir: string | undefined,
): Record<string, string> {
  const ownSettings = Object.entries(process.env).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  )
  return {
    ...Object.fromEntries(ownSettings),
    KENNING_CHILD: role,
    KENNING_WORKER_NAME: newWorkerName(),
    ...(socketDir === undefined ? {} : { KENNING_ENGINE_SOCKET: socketDir }),
  }
}
