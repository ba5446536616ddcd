// The settings as data: the values that each one allows, and what it means. Only ../config.ts reads the environment.

import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { isAbsolute } from 'node:path'
import { z } from 'zod'
import { parseGrants, splitNames } from './group-grants.ts'

const DEFAULT_HOST = '127.0.0.1'
const DEFAULT_PORT = 8484

const optional = z.string().min(1).optional()
const splitList = (text: string): string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean)

/** The scheme of a proxy may be left out: `proxy.example.org:3128`. */
const proxy = z
  .string()
  .transform((text) => (/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`))
  .refine((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol), {
    error: 'must be an http or https address, such as http://proxy.example.org:3128',
    abort: true,
  })
  .refine(
    hasReadableCredentials,
    'must have % in its name and password written as %25, and other signs as UTF-8',
  )
  .optional()

const HEADERS_REQUIRED = 'must be headers, such as authorization=Bearer%20secret'
// %XX becomes the character with the code XX, since a header consists of Latin-1 characters and not of UTF-8.
const parseHeader = (item: string): [string, string] => {
  const separatorIndex = item.indexOf('=')
  return [
    item.slice(0, separatorIndex),
    item
      .slice(separatorIndex + 1)
      .replace(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
  ]
}

const GRANTS_REQUIRED =
  'must be GROUP=administrator or GROUP=WORKSPACE:ROLE, the role being owner, editor or viewer, such as ' +
  'kenning-admins=administrator,finance=Finance Reports:editor; in a name a comma is written %2C, = is %3D, and a % that stands before these figures %25'

/** The schema and the meaning of each setting. A test compares the names with .env.example. */
export const settings = {
  KENNING_HOST: { schema: z.string().min(1).default(DEFAULT_HOST), description: 'address to listen on' },
  KENNING_PORT: {
    schema: z.coerce
      .number('must be a port number')
      .int()
      .min(1, 'must be 1 to 65535')
      .max(65535, 'must be 1 to 65535')
      .default(DEFAULT_PORT),
    description: 'port to listen on',
  },
  KENNING_BASE_URL: {
    schema: z
      .string()
      .refine(
        isBaseUrl,
        'must be https (or http on localhost) and end with /v1, such as https://kenning.example.org/v1 or https://intranet.example.org/kenning/v1',
      )
      // Tokens, cookies and OAuth metadata compare it as text, so it needs one spelling.
      .transform((text) => new URL(text).href)
      .optional(),
    description: 'public address of the API, which ends with /v1',
  },
  KENNING_ASK_PER_HOUR: {
    schema: z.coerce
      .number('must be a whole number')
      .int('must be a whole number')
      .min(1, 'must be at least 1')
      .max(1_000_000, 'must be at most 1000000')
      .default(60),
    description: 'questions per hour for each user or key',
  },
  KENNING_SEARCH_MEMORY_MB: {
    schema: z.coerce
      .number('must be a whole number')
      .int('must be a whole number')
      .min(0, 'must be at least 0')
      .max(16_384, 'must be at most 16384')
      .default(256),
    description:
      'memory limit of the API, in megabytes, for workspaces that are searched often; 0: none are kept in memory',
  },
  KENNING_COPIES: {
    schema: z.coerce
      .number('must be a whole number')
      .int('must be a whole number')
      .min(0, 'must be at least 0')
      .max(365, 'must be at most 365')
      .default(7),
    description: 'days for which daily copies of the embedded database are kept; 0: no copies are made',
  },
  KENNING_COPIES_MB: {
    schema: z.coerce
      .number('must be a whole number')
      .int('must be a whole number')
      .min(1, 'must be at least 1')
      .max(10_000_000, 'must be at most 10000000')
      .default(10_000),
    description: 'size limit of all these copies together, in megabytes',
  },
  KENNING_EMBEDDER: {
    schema: z
      .enum(['auto', 'sentence', 'onnx', 'openai', 'none'], 'must be auto, sentence, onnx, openai or none')
      .default('auto'),
    description:
      'how search by meaning works: auto (the configured model, otherwise the one of the package), sentence, onnx, openai or none',
  },
  KENNING_EMBEDDINGS_URL: {
    schema: z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }).optional(),
    description: 'embeddings server with the OpenAI protocol, such as https://api.openai.com/v1',
  },
  KENNING_EMBEDDINGS_MODEL: { schema: optional, description: 'model of that server' },
  KENNING_EMBEDDINGS_KEY: { schema: optional, description: 'key of that server' },
  KENNING_ONNX_MODEL: {
    schema: optional,
    description: 'folder of a sentence model in ONNX; default: the only folder in <data>/models',
  },
  KENNING_OCR_LANGUAGES: {
    schema: z
      .string()
      .regex(
        /^[A-Za-z]{3}(_[A-Za-z]+)*(,[A-Za-z]{3}(_[A-Za-z]+)*)*$/,
        'must be codes of Tesseract separated by commas, such as eng,deu',
      )
      .optional(),
    description:
      'languages of scans and pictures, the likeliest first; default: all installed languages, English first',
  },
  KENNING_OCR_URL: {
    schema: z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }).optional(),
    description:
      'server that recognises text in scans and pictures instead of Tesseract (docs/text-recognition.md)',
  },
  KENNING_OCR_KEY: { schema: optional, description: 'key of that server' },
  KENNING_PICTURE_TEXT: {
    schema: z.enum(['on', 'off'], 'must be on or off').default('on'),
    description:
      'whether text in pictures inside documents is recognised: on or off (scans and image files are always read)',
  },
  KENNING_LLM_URL: {
    schema: z.url('must be a URL').optional(),
    description: 'language model server with /chat/completions (OpenAI, Ollama, vLLM …)',
  },
  KENNING_LLM_MODEL: { schema: optional, description: 'model of that server' },
  KENNING_LLM_KEY: { schema: optional, description: 'key of that server' },
  KENNING_LLM_CONTEXT: {
    schema: z.coerce
      .number('must be a number of tokens')
      .int('must be a whole number of tokens')
      .min(1000, 'must be at least 1000')
      .optional(),
    description: 'tokens that this model takes with its answer; without it the server is asked',
  },
  KENNING_LLM_FALLBACK: {
    schema: z.enum(['extractive', 'none'], 'must be extractive or none').default('extractive'),
    description: 'what answers a question when that model fails: extractive (quotations) or none (error 502)',
  },
  KENNING_RERANK_URL: {
    schema: z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }).optional(),
    description:
      'server with /rerank (Text Embeddings Inference, Cohere, Jina, vLLM …) that reorders the best passages',
  },
  KENNING_RERANK_MODEL: {
    schema: optional,
    description: 'model of that server; Text Embeddings Inference needs none',
  },
  KENNING_RERANK_KEY: { schema: optional, description: 'key of that server' },
  KENNING_GRAPH_TOKENS: {
    schema: z.coerce
      .number('must be a whole number')
      .int('must be a whole number')
      .min(0, 'must be at least 0')
      .max(1_000_000_000_000, 'must be at most 10^12')
      .optional(),
    description:
      'token limit of that model for the graph of a workspace; 0: the model is not used for the graph',
  },
  KENNING_DATA_DIR: {
    schema: z.string().min(1).default('./data'),
    description: 'folder of the embedded database and the files',
  },
  KENNING_BACKUP_DIR: {
    schema: z
      .string()
      .refine((folder) => isAbsolute(folder), 'must be an absolute path, such as /mnt/backup')
      .optional(),
    description:
      'folder of the worker for backups that administrators begin in the console; outside the data folder, best on another disk',
  },
  KENNING_BLOBS: {
    schema: z
      .string()
      .regex(
        /^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](\/(?!\.+(\/|$))[\w.-]+)*\/?$/,
        'must be a bucket, with a prefix if you like, such as s3://kenning/files',
      )
      .optional(),
    description: 'S3 bucket for the uploaded files, such as s3://bucket/prefix; default: the data folder',
  },
  KENNING_S3_ENDPOINT: {
    schema: z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }).optional(),
    description: 'S3 server of that bucket; default: Amazon',
  },
  KENNING_S3_REGION: { schema: z.string().min(1).default('us-east-1'), description: 'region of that bucket' },
  KENNING_S3_KEY_ID: { schema: optional, description: 'id of the access key of that bucket' },
  KENNING_S3_SECRET: { schema: optional, description: 'secret of that key' },
  KENNING_ADMIN_EMAIL: {
    schema: z.email('must be an e-mail address').optional(),
    description: 'e-mail of the first account',
  },
  KENNING_ADMIN_PASSWORD: {
    schema: z.string().min(12, 'must have at least 12 characters').optional(),
    description: 'password of the first account, 12 characters or more',
  },
  KENNING_SIGNUP: {
    schema: z.enum(['closed', 'open'], 'must be closed or open').default('closed'),
    description: 'who may create an account: closed (invited people) or open (anyone)',
  },
  KENNING_TRUSTED_PROXIES: {
    schema: z
      .string()
      .transform(splitList)
      .refine(
        (items) => items.every(isNetwork),
        'must be addresses or networks, such as 10.0.0.0/8,127.0.0.1',
      )
      .default([]),
    description: 'proxies whose X-Forwarded-For is trusted: addresses or networks, separated by commas',
  },
  KENNING_CORS_ORIGINS: {
    schema: z
      .string()
      .transform(splitList)
      .refine(
        (items) => items.every((text) => URL.canParse(text) && new URL(text).origin === text),
        'must be origins, such as https://app.example.org,http://localhost:5173',
      )
      .default([]),
    description: 'origins whose pages may call the API from a browser, separated by commas',
  },
  KENNING_SMTP_URL: {
    schema: z.url({ protocol: /^smtps?$/, error: 'must be an smtp or smtps URL' }).optional(),
    description:
      'mail server for invitations and password resets, such as smtps://user:password@mail.example.org',
  },
  KENNING_MAIL_FROM: {
    schema: optional,
    description: 'sender of those mails, such as Kenning <kenning@example.org>',
  },
  KENNING_OIDC_ISSUER: {
    schema: z
      .string()
      .refine(isIssuer, 'must be an https URL (or http on localhost) without query')
      .optional(),
    description: "issuer of the company's OpenID provider (Google, Microsoft, Okta, Keycloak …)",
  },
  KENNING_OIDC_CLIENT_ID: { schema: optional, description: 'client id of Kenning at that provider' },
  KENNING_OIDC_CLIENT_SECRET: { schema: optional, description: 'client secret of Kenning at that provider' },
  KENNING_OIDC_SCOPES: {
    schema: z
      .string()
      .transform((text) => text.split(/[\s,]+/).filter(Boolean))
      .refine(
        (scopes) =>
          scopes.includes('openid') && scopes.every((scope) => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope)),
        'must be scopes separated by spaces, with openid among them, such as openid email profile groups',
      )
      .optional(),
    description:
      'scopes that are asked for; default: openid email profile, and groups where the provider lists it and groups decide something',
  },
  KENNING_OIDC_UNVERIFIED_EMAIL: {
    schema: z.enum(['refuse', 'accept'], 'must be refuse or accept').default('refuse'),
    description:
      'addresses of which the provider does not say whether they are verified; accept only if nobody can set their own address there',
  },
  KENNING_OIDC_GROUPS: {
    schema: z.string().transform(splitNames).default([]),
    description:
      'groups whose members may sign in, separated by commas; default: everybody with an account at the provider',
  },
  KENNING_OIDC_GROUPS_CLAIM: {
    schema: z.string().min(1).default('groups'),
    description:
      'claim that lists the groups of a person; a dot leads into a claim, as in realm_access.roles',
  },
  KENNING_OIDC_ROLES: {
    schema: z
      .string()
      .transform((text, context) => {
        const grants = parseGrants(text)
        if (Array.isArray(grants)) return grants
        context.addIssue({ code: 'custom', message: `${JSON.stringify(grants.wrong)} ${GRANTS_REQUIRED}` })
        return z.NEVER
      })
      .default([]),
    description:
      'what groups give at each sign-in, separated by commas: GROUP=administrator, or GROUP=WORKSPACE:ROLE with the id or name of a workspace',
  },
  KENNING_OIDC_LABEL: {
    schema: z.string().min(1).max(60).default('your company account'),
    description: 'text of the sign-in button after "Sign in with"',
  },
  KENNING_SOURCE_FOLDERS: {
    schema: z
      .string()
      .transform(splitList)
      .transform((items) => items.map(parseAllowedLocation))
      .refine(
        (locations) => locations.every(({ location }) => isAbsolute(location)),
        'must be absolute paths, such as /srv/handbook, each with a workspace in front of it if it is for that one alone: ID:/srv/contracts',
      )
      .default([]),
    description:
      'folders that sources may read, separated by commas; ID:/path allows it for one workspace only',
  },
  KENNING_SOURCE_REMOTES: {
    schema: z
      .string()
      .transform(splitList)
      .transform((items) => items.map(parseAllowedLocation))
      .refine(
        (locations) => locations.every(({ location }) => /^[\w][\w .+@-]*:/.test(location)),
        'must be remotes of rclone, such as drive:Reports, each with a workspace in front of it if it is for that one alone: ID:drive:Reports',
      )
      .default([]),
    description:
      'remotes of rclone that sources may read, separated by commas; ID:remote:path allows it for one workspace only',
  },
  KENNING_SOURCE_HOURS: {
    schema: z.coerce
      .number('must be a whole number')
      .int('must be a whole number')
      .min(1, 'must be at least 1')
      .max(480, 'must be at most 480')
      .default(24),
    description: 'time limit for a run of a source, in hours',
  },
  KENNING_PRIVATE_NETWORKS: {
    schema: z
      .string()
      .transform(splitList)
      .refine(
        (items) => items.every(isNetwork),
        'must be addresses or networks, such as 10.1.0.0/16,192.168.7.4',
      )
      .default([]),
    description:
      'networks outside the public internet that sources, webhooks and models set by administrators may reach, separated by commas',
  },
  // The names that other programs use, too.
  HTTPS_PROXY: { schema: proxy, description: 'proxy for addresses that begin with https' },
  HTTP_PROXY: { schema: proxy, description: 'proxy for addresses that begin with http' },
  NO_PROXY: {
    schema: z
      .string()
      .transform((text) => text.split(/[\s,]+/).filter(Boolean))
      .refine(
        (items) => items.every((item) => !item.includes('/') || isNetwork(item.replace(/^\[(.*)\]$/, '$1'))),
        'must be names, addresses or networks, such as 10.0.0.0/8, separated by commas',
      )
      .default([]),
    description:
      'what goes past the proxies: names with all below them, addresses and networks, separated by commas; *: everything',
  },
  KENNING_PROXY_RESOLVES: {
    schema: z.enum(['on', 'off'], 'must be on or off').default('off'),
    description:
      'whether names in sources and webhooks are left to the proxy: only if it refuses addresses of your own network',
  },
  KENNING_CA_FILE: {
    schema: z
      .string()
      .transform((path, context) => {
        try {
          const text = readFileSync(path, 'utf8')
          new X509Certificate(text)
          return text
        } catch {
          context.addIssue({ code: 'custom', message: `${path} is not a file of certificates in PEM` })
          return z.NEVER
        }
      })
      .optional(),
    description:
      "certificates in PEM of authorities that are trusted besides the usual ones, such as your company's",
  },
  DATABASE_URL: {
    schema: z
      .string()
      .regex(/^postgres(ql)?:\/\//, 'must be a postgres:// URL')
      .optional(),
    description: 'PostgreSQL 16 or newer with pgvector 0.8 or newer; default: an embedded database',
  },
  KENNING_READ_DATABASE_URL: {
    schema: z
      .string()
      .regex(/^postgres(ql)?:\/\//, 'must be a postgres:// URL')
      .optional(),
    description:
      'streaming replica of DATABASE_URL, which answers searches and other reads while it is up to date',
  },
  KENNING_NODE_PASSWORD: {
    schema: z
      .string()
      .regex(/^[\w-]{16,}$/, 'must be at least 16 letters, digits, - and _')
      .optional(),
    description:
      'for kenning distribute: password between the nodes of Citus, if several databases share them',
  },
  KENNING_ROLE: {
    schema: z.enum(['all', 'api', 'worker'], 'must be all, api or worker').default('all'),
    description: 'what this process runs: all, or only api or worker (both need DATABASE_URL)',
  },
  KENNING_METRICS_PORT: {
    schema: z.coerce
      .number('must be a port number')
      .int()
      .min(1, 'must be 1 to 65534')
      .max(65534, 'must be 1 to 65534')
      .optional(),
    description:
      "port of the API's /metrics for Prometheus; the worker uses the next port; default: no metrics",
  },
  KENNING_METRICS_HOST: {
    schema: z.string().min(1).default('127.0.0.1'),
    description: 'address of /metrics, which needs no password',
  },
  // The names that every program with OpenTelemetry uses.
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    schema: z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }).optional(),
    description:
      'collector of OpenTelemetry for traces (OTLP over HTTP), such as http://localhost:4318; default: no traces',
  },
  OTEL_EXPORTER_OTLP_HEADERS: {
    schema: z
      .string()
      .regex(/^[\w-]+=([^%,]|%[0-9a-fA-F]{2})*(,\s*[\w-]+=([^%,]|%[0-9a-fA-F]{2})*)*$/, HEADERS_REQUIRED)
      .transform(splitList)
      .transform((items) => Object.fromEntries(items.map(parseHeader)))
      .optional(),
    description: 'headers for that collector, separated by commas',
  },
  OTEL_SERVICE_NAME: {
    schema: z.string().min(1).default('kenning'),
    description: 'name of this service in traces',
  },
  KENNING_LOG_LEVEL: {
    schema: z
      .enum(['debug', 'info', 'warn', 'error', 'silent'], 'must be debug, info, warn, error or silent')
      .default('info'),
    description: 'lowest severity that is logged',
  },
} as const satisfies Record<string, { schema: z.ZodType; description: string }>

export interface AllowedLocation {
  /** The only workspace that may use the location. Undefined if all may. */
  workspaceId: string | undefined
  location: string
}

/** Parses `/srv/handbook`, or `ID:/srv/contracts` with the UUID of a workspace. */
function parseAllowedLocation(text: string): AllowedLocation {
  const [, workspaceId, location = text] =
    /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}):(.+)$/i.exec(text) ?? []
  return { workspaceId: workspaceId?.toLowerCase(), location }
}

/**
 * `/v1`, or a path such as `/kenning/v1`. Such a path must not begin with a name of the service's own routes: Kenning could then
 * not decide whether a proxy has removed the path from a request.
 */
const BASE_PATH =
  /^(?!\/(v1|w|docs|session|account|sign-in|invitation|reset|oauth|setup|assets|keys|connections|people|models|usage|settings|healthz|readyz)\/.)(\/[\w-][\w.-]*)*\/v1$/

function isBaseUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const url = new URL(text)
  const isPlain = !url.search && !url.hash && !url.username && !url.password && BASE_PATH.test(url.pathname)
  const isLoopback = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  return isPlain && (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback))
}

function hasReadableCredentials(text: string): boolean {
  const { username, password } = new URL(text)
  try {
    decodeURIComponent(username)
    decodeURIComponent(password)
    return true
  } catch {
    return false
  }
}

function isNetwork(text: string): boolean {
  const [address = '', bits, secondSlash] = text.split('/')
  const version = isIP(address)
  if (version === 0 || secondSlash !== undefined) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
}

function isIssuer(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname, search, hash } = new URL(text)
  const isLoopback = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  return !search && !hash && (protocol === 'https:' || (protocol === 'http:' && isLoopback))
}
