// The settings, from the environment and nowhere else. A wrong one names itself and all others that are wrong.

import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { resolve } from 'node:path'
import { z } from 'zod'
import { type PeopleConfig, readPeople } from './config/people.ts'
import { settings } from './config/settings.ts'
import { unknownSettings } from './config/unknown.ts'

const EVERY_INTERFACE = ['0.0.0.0', '::']

export { settings } from './config/settings.ts'

const optional = z.string().min(1).optional()

// What the supervisor tells its children; nobody sets these by hand.
const internal = {
  KENNING_CHILD: z.enum(['api', 'worker']).optional(),
  KENNING_ENGINE_SOCKET: optional,
  KENNING_WORKER_NAME: optional,
}

export interface Config extends PeopleConfig {
  host: string
  port: number
  /** Origin and exactly `/v1`. */
  baseUrl: string
  origin: string
  askPerHour: number
  llm: { url: string; model: string; key: string | undefined } | undefined
  rerank: { url: string; model: string | undefined; key: string | undefined } | undefined
  graphTokens: number
  llmFallback: 'extractive' | 'none'
  dataDir: string
  /** Codes of Tesseract, the likeliest first; undefined: every installed language. */
  ocrLanguages: string[] | undefined
  /** Pictures inside documents are read for their words. */
  pictureText: boolean
  embedder: {
    choice: 'auto' | 'lexical' | 'onnx' | 'openai' | 'none'
    server: { url: string; model: string; key: string | undefined } | undefined
    onnxModel: string | undefined
  }
  admin: { email: string; password: string } | undefined
  databaseUrl: string | undefined
  role: 'all' | 'api' | 'worker'
  logLevel: string
  /** Whose leases end when a worker of this name starts: no two that live may share it. */
  workerName: string
  /** What is allowed but unwise, each a sentence for the log. */
  warnings: string[]
  /** Set in a child of the supervisor. */
  child: { role: 'api' | 'worker'; socketDir: string | undefined } | undefined
}

/** Every setting that is wrong, each a line that names it. */
export class ConfigError extends Error {
  readonly problems: string[]
  constructor(problems: string[]) {
    super(problems.join('\n'))
    this.name = 'ConfigError'
    this.problems = problems
  }
}

/** @throws ConfigError */
export function readConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const problems: string[] = []
  const read = <Schema extends z.ZodType>(name: string, schema: Schema): z.output<Schema> => {
    // An empty value is an unset one: `KENNING_PORT=` in a compose file.
    const result = schema.safeParse(environment[name] || undefined)
    if (!result.success) problems.push(`${name}: ${result.error.issues[0]?.message ?? 'is wrong'}`)
    return result.data as z.output<Schema>
  }
  const host = read('KENNING_HOST', settings.KENNING_HOST.schema)
  const port = read('KENNING_PORT', settings.KENNING_PORT.schema)
  const given = read('KENNING_BASE_URL', settings.KENNING_BASE_URL.schema)
  const databaseUrl = read('DATABASE_URL', settings.DATABASE_URL.schema)
  const role = read('KENNING_ROLE', settings.KENNING_ROLE.schema)
  const childRole = read('KENNING_CHILD', internal.KENNING_CHILD)
  if (role && role !== 'all' && !databaseUrl && !environment.DATABASE_URL) {
    problems.push(
      `KENNING_ROLE: ${role} alone needs DATABASE_URL; the embedded database serves one machine's kenning`,
    )
  }
  const embedder = readEmbedder(read, problems)
  const loopback = !host || ['localhost', '127.0.0.1', '::1', ...EVERY_INTERFACE].includes(host)
  if (!loopback && !environment.KENNING_BASE_URL) {
    problems.push('KENNING_BASE_URL: must be set (https) when KENNING_HOST is not this machine alone')
  }
  const baseUrl = given ?? `http://${urlHost(host)}:${port}/v1`
  const config: Config = {
    host,
    port,
    baseUrl,
    origin: baseUrl.replace(/\/v1$/, ''),
    askPerHour: read('KENNING_ASK_PER_HOUR', settings.KENNING_ASK_PER_HOUR.schema),
    embedder,
    ocrLanguages: read('KENNING_OCR_LANGUAGES', settings.KENNING_OCR_LANGUAGES.schema)?.split(','),
    pictureText: read('KENNING_PICTURE_TEXT', settings.KENNING_PICTURE_TEXT.schema) === 'on',
    llm: readLlm(read, problems),
    rerank: readRerank(read, problems),
    graphTokens: read('KENNING_GRAPH_TOKENS', settings.KENNING_GRAPH_TOKENS.schema),
    llmFallback: read('KENNING_LLM_FALLBACK', settings.KENNING_LLM_FALLBACK.schema),
    dataDir: resolve(read('KENNING_DATA_DIR', settings.KENNING_DATA_DIR.schema) ?? '.'),
    admin: readAdmin(read, environment, problems),
    ...readPeople(read, problems),
    databaseUrl,
    role,
    logLevel: read('KENNING_LOG_LEVEL', settings.KENNING_LOG_LEVEL.schema),
    workerName: read('KENNING_WORKER_NAME', internal.KENNING_WORKER_NAME) ?? newWorkerName(),
    warnings: [
      ...(given || !EVERY_INTERFACE.includes(host) ? [] : [plainHttp(host)]),
      ...unknownSettings(Object.keys(environment), [...Object.keys(settings), ...Object.keys(internal)]),
    ],
    child: childRole && {
      role: childRole,
      socketDir: read('KENNING_ENGINE_SOCKET', internal.KENNING_ENGINE_SOCKET),
    },
  }
  if (problems.length) throw new ConfigError(problems)
  return config
}

type Read = <Schema extends z.ZodType>(name: string, schema: Schema) => z.output<Schema>

function readAdmin(read: Read, environment: NodeJS.ProcessEnv, problems: string[]): Config['admin'] {
  const email = read('KENNING_ADMIN_EMAIL', settings.KENNING_ADMIN_EMAIL.schema)
  const password = read('KENNING_ADMIN_PASSWORD', settings.KENNING_ADMIN_PASSWORD.schema)
  if (Boolean(environment.KENNING_ADMIN_EMAIL) !== Boolean(environment.KENNING_ADMIN_PASSWORD)) {
    const missing = environment.KENNING_ADMIN_EMAIL ? 'KENNING_ADMIN_PASSWORD' : 'KENNING_ADMIN_EMAIL'
    problems.push(`${missing}: must be set together with the other one`)
  }
  return email && password ? { email, password } : undefined
}

function readEmbedder(read: Read, problems: string[]): Config['embedder'] {
  const choice = read('KENNING_EMBEDDER', settings.KENNING_EMBEDDER.schema)
  const url = read('KENNING_EMBEDDINGS_URL', settings.KENNING_EMBEDDINGS_URL.schema)
  const model = read('KENNING_EMBEDDINGS_MODEL', settings.KENNING_EMBEDDINGS_MODEL.schema)
  const key = read('KENNING_EMBEDDINGS_KEY', settings.KENNING_EMBEDDINGS_KEY.schema)
  const onnxModel = read('KENNING_ONNX_MODEL', settings.KENNING_ONNX_MODEL.schema)
  if (url && !model)
    problems.push('KENNING_EMBEDDINGS_MODEL: must be set together with KENNING_EMBEDDINGS_URL')
  if (model && !url)
    problems.push('KENNING_EMBEDDINGS_URL: must be set together with KENNING_EMBEDDINGS_MODEL')
  if (choice === 'openai' && !url && !model) {
    problems.push(
      'KENNING_EMBEDDINGS_URL: must be set, and KENNING_EMBEDDINGS_MODEL, for KENNING_EMBEDDER=openai',
    )
  }
  return { choice, server: url && model ? { url, model, key } : undefined, onnxModel }
}

function readLlm(read: Read, problems: string[]): Config['llm'] {
  const url = read('KENNING_LLM_URL', settings.KENNING_LLM_URL.schema)
  const model = read('KENNING_LLM_MODEL', settings.KENNING_LLM_MODEL.schema)
  const key = read('KENNING_LLM_KEY', settings.KENNING_LLM_KEY.schema)
  if (Boolean(url) !== Boolean(model)) {
    const [missing, given] = url
      ? ['KENNING_LLM_MODEL', 'KENNING_LLM_URL']
      : ['KENNING_LLM_URL', 'KENNING_LLM_MODEL']
    problems.push(`${missing}: must be set together with ${given}`)
  }
  return url && model ? { url, model, key } : undefined
}

function readRerank(read: Read, problems: string[]): Config['rerank'] {
  const url = read('KENNING_RERANK_URL', settings.KENNING_RERANK_URL.schema)
  const model = read('KENNING_RERANK_MODEL', settings.KENNING_RERANK_MODEL.schema)
  const key = read('KENNING_RERANK_KEY', settings.KENNING_RERANK_KEY.schema)
  if (!url && (model || key)) problems.push('KENNING_RERANK_URL: must be set together with model or key')
  return url ? { url, model, key } : undefined
}

/** Nobody can open 0.0.0.0 in a browser: there the default address is localhost. */
const urlHost = (host: string): string =>
  EVERY_INTERFACE.includes(host) ? 'localhost' : host.includes(':') ? `[${host}]` : host

const plainHttp = (host: string): string =>
  `KENNING_HOST=${host} serves plain http on all interfaces: passwords and tokens can be read on the way. ` +
  'Put a TLS proxy in front and set KENNING_BASE_URL to its https address.'

/** Random, since containers on one host may share its name and each have a process 1. */
const newWorkerName = (): string => `${hostname()}:${process.pid}:${randomUUID()}`

/** The environment of a supervised child: ours, and what the supervisor decides, the same for all of its lives. */
export function childEnvironment(
  role: 'api' | 'worker',
  socketDir: string | undefined,
): Record<string, string> {
  const ours = Object.entries(process.env).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  )
  return {
    ...Object.fromEntries(ours),
    KENNING_CHILD: role,
    KENNING_WORKER_NAME: newWorkerName(),
    ...(socketDir === undefined ? {} : { KENNING_ENGINE_SOCKET: socketDir }),
  }
}
