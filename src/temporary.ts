// A service for one program, for an evaluation or for questions to a folder: embedded engine, API and worker on a temporary
// or a given folder. It ends with the program. For a folder that is already filled, the engine alone.

import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AnsweringDeps } from './answering.ts'
import { type Caller, SCOPES } from './auth/caller.ts'
import { childEnvironment, readConfig } from './config.ts'
import type { Me } from './contract/resources.ts'
import type { Deps, Log } from './ports/deps.ts'
import { startEngine } from './processes/engine.ts'
import { freePort } from './processes/free-port.ts'
import { stopInOrder, supervise } from './processes/supervisor.ts'

/** Log lines would break progress bars; failed files are in the results. */
const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} }

/** A bearer token; a new one with `renew`, after the last one was refused. */
export type TokenSource = (renew: boolean) => Promise<string>

export interface TemporaryService extends OpenedFolder {
  deps: Deps
  /** `{origin}/v1` */
  base: string
  token: TokenSource
  /** A new API key, which reads this workspace and no other. It replaces the one before. */
  readerKey(workspaceId: string): Promise<string>
  /** Process id of the embedded engine, while it runs. */
  enginePid(): number | undefined
}

export interface OpenedFolder {
  deps: AnsweringDeps
  caller: Caller
  /** Stops it, and removes its folder unless one was given. */
  stop(): Promise<void>
}

export interface TemporaryOptions {
  /** An empty database of a PostgreSQL server, instead of the embedded engine. */
  databaseUrl?: string
  /** Settings that override those of the environment. */
  settings?: Record<string, string>
  /** A folder that is kept and may already hold documents; without it a new one is removed at the end. */
  folder?: string | undefined
  /** Called with what the engine does while it starts, if that takes a while. */
  onProgress?: (activity: string) => void
  /** How long a statement of the embedded engine may take (default 30 s). */
  silentLimitMs?: number
}

/** @param main the module that runs the API and the worker */
export async function startTemporary(
  main: URL,
  { databaseUrl, settings, folder, silentLimitMs, onProgress }: TemporaryOptions = {},
): Promise<TemporaryService> {
  const dataDir = folder ?? (await mkdtemp(join(tmpdir(), 'kenning-eval-')))
  const startedParts: { stop(): Promise<void> }[] = []
  const stop = async (): Promise<void> => {
    try {
      await stopInOrder(startedParts.reverse())
    } finally {
      if (folder === undefined) await rm(dataDir, { recursive: true, force: true })
    }
  }
  try {
    const engine =
      databaseUrl === undefined
        ? await startEngine({
            dataDir,
            log: silentLog,
            ...(onProgress && { onProgress }),
            ...(silentLimitMs && { silentLimitMs }),
          })
        : undefined
    const { openDeps } = await import('./app.ts')
    if (engine) startedParts.push(engine)
    const account = await accountOf(dataDir)
    const serviceSettings = {
      ...settings,
      ...settingsOf(dataDir, account),
      KENNING_PORT: String(await freePort()),
    }
    const database = { DATABASE_URL: databaseUrl ?? '' }
    const environment = (role: 'api' | 'worker') => ({
      ...childEnvironment(role, engine?.socketDir),
      ...serviceSettings,
      ...database,
    })
    const child = (name: 'api' | 'worker') => ({
      name,
      module: main,
      args: ['serve'],
      env: environment(name),
    })
    startedParts.push(await supervise([child('api'), child('worker')], silentLog))
    // Its figures are served by the API, not by this process.
    const config = readConfig({ ...environment('api'), KENNING_METRICS_PORT: '' })
    // Whoever waits for long statements also waits for a connection.
    const limits = silentLimitMs === undefined ? {} : { connectTimeoutMs: silentLimitMs }
    const deps = await openDeps(config, silentLog, {}, limits)
    startedParts.push({ stop: () => deps.db.close() })
    const token = signIn(config.origin, account)
    const { id } = await whoAmI(config.baseUrl, await token(false))
    return {
      deps,
      caller: callerOf(id),
      base: config.baseUrl,
      token,
      readerKey: (workspaceId) => newReaderKey(config.origin, account, workspaceId),
      enginePid: () => engine?.pid(),
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

const callerOf = (id: string): Caller => ({ auth: 'session', id, userId: id, scopes: [...SCOPES] })

/**
 * Opens the folder of an earlier temporary service for questions only. No files are read, and nothing listens.
 * @param userId of the service's only account
 */
export async function openFolder(
  folder: string,
  userId: string,
  { settings = {}, ...progress }: Pick<TemporaryOptions, 'settings' | 'onProgress'> = {},
): Promise<OpenedFolder> {
  const engineStart = startEngine({ dataDir: folder, log: silentLog, brief: true, ...progress })
  // Loading the program takes as long as opening the database does.
  const loading = import('./answering.ts')
  const engine = await engineStart
  try {
    const { openAnswering } = await loading
    const account = await accountOf(folder)
    const serviceSettings = { ...settings, ...settingsOf(folder, account), DATABASE_URL: '' }
    const config = readConfig({ ...childEnvironment('api', engine.socketDir), ...serviceSettings })
    const deps = await openAnswering(config, silentLog)
    const parts = [{ stop: () => deps.db.close() }, engine]
    return { deps, caller: callerOf(userId), stop: () => stopInOrder(parts) }
  } catch (error) {
    await engine.stop()
    throw error
  }
}

/** The only account of the service; its password is kept in the folder. */
async function accountOf(dataDir: string): Promise<{ email: string; password: string }> {
  const path = join(dataDir, 'eval-password')
  const newKey = randomBytes(24).toString('base64url')
  await mkdir(dataDir, { recursive: true })
  await writeFile(path, newKey, { flag: 'wx', mode: 0o600 }).catch((error: { code?: string }) => {
    if (error.code !== 'EEXIST') throw error
  })
  return { email: 'eval@localhost.localdomain', password: await readFile(path, 'utf8') }
}

/** Database, address and account of its own; search settings are taken from the environment. */
const settingsOf = (dataDir: string, { email, password }: { email: string; password: string }) => ({
  KENNING_ROLE: 'all',
  KENNING_HOST: '127.0.0.1',
  KENNING_BASE_URL: '',
  KENNING_SIGNUP: 'closed',
  KENNING_DATA_DIR: dataDir,
  KENNING_BACKUP_DIR: '',
  KENNING_BLOBS: '',
  KENNING_S3_ENDPOINT: '',
  KENNING_S3_KEY_ID: '',
  KENNING_S3_SECRET: '',
  KENNING_ADMIN_EMAIL: email,
  KENNING_ADMIN_PASSWORD: password,
  KENNING_LOG_LEVEL: 'silent',
})

/** The cookie of a new session. */
async function newSession(origin: string, account: object): Promise<string> {
  const session = await fetch(`${origin}/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin },
    body: JSON.stringify(account),
  })
  return session.headers.getSetCookie()[0]?.split(';')[0] ?? ''
}

const READER = 'reader'

async function newReaderKey(origin: string, account: object, workspaceId: string): Promise<string> {
  const headers = { origin, cookie: await newSession(origin, account) }
  const send = async (method: string, path: string, body?: object): Promise<Response> => {
    const payload = body && { body: JSON.stringify(body) }
    const withType = body ? { ...headers, 'content-type': 'application/json' } : headers
    const answer = await fetch(`${origin}/account/keys${path}`, { method, headers: withType, ...payload })
    if (!answer.ok) throw new Error(`The temporary service refused a key: ${answer.status}.`)
    return answer
  }
  const { data } = (await (await send('GET', '')).json()) as { data: { id: string; name: string }[] }
  for (const { id, name } of data) if (name === READER) await send('DELETE', `/${id}`)
  const key = await send('POST', '', { name: READER, workspace_ids: [workspaceId] })
  return ((await key.json()) as { key: string }).key
}

function signIn(origin: string, account: object): TokenSource {
  let bearer: Promise<string> | undefined
  const newToken = async (): Promise<string> => {
    const cookie = await newSession(origin, account)
    const answer = await fetch(`${origin}/session/token`, { method: 'POST', headers: { origin, cookie } })
    if (!answer.ok) throw new Error(`The temporary service refused a token: ${answer.status}.`)
    return ((await answer.json()) as { access_token: string }).access_token
  }
  return (renew) => {
    if (renew || !bearer) bearer = newToken()
    return bearer
  }
}

async function whoAmI(base: string, token: string): Promise<Me> {
  const answer = await fetch(`${base}/me`, { headers: { authorization: `Bearer ${token}` } })
  if (!answer.ok) throw new Error(`The temporary service refused its own account: ${answer.status}.`)
  return (await answer.json()) as Me
}
