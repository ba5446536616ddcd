// A service for one evaluation: embedded engine, API and worker on a temporary or a given folder. Documents are uploaded
// over HTTP; searches call the search function itself, since it returns more than 20 passages.

import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDeps } from '../../app.ts'
import { type Caller, SCOPES } from '../../auth/caller.ts'
import { childEnvironment, readConfig } from '../../config.ts'
import type { Me, Workspace } from '../../contract/resources.ts'
import type { Deps, Log } from '../../ports/deps.ts'
import { startEngine } from '../../processes/engine.ts'
import { stopInOrder, supervise } from '../../processes/supervisor.ts'
import { findPassages } from '../../search/search.ts'
import { EvaluationFailed } from '../error.ts'
import { makeClient, type TokenSource } from './client.ts'
import type { FilledTarget, FillOptions, Passage, Target } from './target.ts'
import { countTasks } from './tasks.sql.ts'
import { uploadSet } from './upload.ts'

const API_PASSAGES = 20
// For 100 documents of two passages each. The time grows with the square, since near-duplicates are compared in pairs.
const DEEP_PASSAGES = 200
const POLL_MS = 500

/** Log lines would break the progress bars; failed files are in the report. */
const silent: Log = { debug() {}, info() {}, warn() {}, error() {} }

export interface TemporaryService {
  deps: Deps
  caller: Caller
  /** `{origin}/v1` */
  base: string
  token: TokenSource
  /** Process id of the embedded engine, while it runs. */
  enginePid(): number | undefined
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
}

/** @param main the module that runs the API and the worker */
export async function startTemporary(
  main: URL,
  { databaseUrl, settings, folder }: TemporaryOptions = {},
): Promise<TemporaryService> {
  const dataDir = folder ?? (await mkdtemp(join(tmpdir(), 'kenning-eval-')))
  const started: { stop(): Promise<void> }[] = []
  const stop = async (): Promise<void> => {
    try {
      await stopInOrder(started.reverse())
    } finally {
      if (folder === undefined) await rm(dataDir, { recursive: true, force: true })
    }
  }
  try {
    const engine = databaseUrl === undefined ? await startEngine({ dataDir, log: silent }) : undefined
    if (engine) started.push(engine)
    const account = await accountOf(dataDir)
    const own = { ...settings, ...settingsOf(dataDir, account), KENNING_PORT: String(await freePort()) }
    const database = { DATABASE_URL: databaseUrl ?? '' }
    const environment = (role: 'api' | 'worker') => ({
      ...childEnvironment(role, engine?.socketDir),
      ...own,
      ...database,
    })
    const child = (name: 'api' | 'worker') => ({
      name,
      module: main,
      args: ['serve'],
      env: environment(name),
    })
    started.push(await supervise([child('api'), child('worker')], silent))
    const config = readConfig(environment('api'))
    const deps = await openDeps(config, silent)
    started.push({ stop: () => deps.db.close() })
    const token = signIn(config.origin, account)
    const me = await makeClient(config.baseUrl, token).json<Me>('GET', '/me')
    const caller: Caller = { auth: 'session', id: me.id, userId: me.id, scopes: [...SCOPES] }
    return { deps, caller, base: config.baseUrl, token, enginePid: () => engine?.pid(), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** The only account of the service; its password is kept in the folder. */
async function accountOf(dataDir: string): Promise<{ email: string; password: string }> {
  const path = join(dataDir, 'eval-password')
  const made = randomBytes(24).toString('base64url')
  await mkdir(dataDir, { recursive: true })
  await writeFile(path, made, { flag: 'wx', mode: 0o600 }).catch((error: { code?: string }) => {
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
  KENNING_ADMIN_EMAIL: email,
  KENNING_ADMIN_PASSWORD: password,
  KENNING_LOG_LEVEL: 'silent',
})

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new EvaluationFailed('There is no free port.')
  return address.port
}

function signIn(origin: string, account: object): TokenSource {
  const headers = { 'content-type': 'application/json', origin }
  let bearer: Promise<string> | undefined
  const fresh = async (): Promise<string> => {
    const session = await fetch(`${origin}/session`, {
      method: 'POST',
      headers,
      body: JSON.stringify(account),
    })
    const cookie = session.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    const answer = await fetch(`${origin}/session/token`, { method: 'POST', headers: { origin, cookie } })
    if (!answer.ok) throw new EvaluationFailed(`The temporary service refused a token: ${answer.status}.`)
    return ((await answer.json()) as { access_token: string }).access_token
  }
  return (renew) => {
    if (renew || !bearer) bearer = fresh()
    return bearer
  }
}

/** The search function; benches pass variants of it. */
export type FindPassages = (
  query: string,
  limit: number,
) => Promise<{ document_id: string; text: string; page: number | null }[]>

/** A temporary service filled with the set, once it has no tasks left: statistics, graph and vectors are complete. */
export async function fillTemporary(
  main: URL,
  name: string,
  fillOptions: FillOptions,
  options: TemporaryOptions = {},
): Promise<FilledTarget> {
  const service = await startTemporary(main, options)
  try {
    const { workspaceId, names, unread } = await fillService(service, name, fillOptions)
    const client = makeClient(service.base, service.token, fillOptions.signal)
    const find: FindPassages = (query, limit) =>
      findPassages(service.deps, service.caller, workspaceId, { query, limit })
    const workspace = { client, id: workspaceId, names }
    return {
      description: 'a temporary service',
      workspace,
      unread,
      ...searchesWith(find, names),
      close: service.stop,
    }
  } catch (error) {
    await service.stop()
    throw error
  }
}

export async function fillService(service: TemporaryService, name: string, fillOptions: FillOptions) {
  const client = makeClient(service.base, service.token, fillOptions.signal)
  const workspace = await client.json<Workspace>('POST', '/workspaces', { name: name.slice(0, 200) })
  const uploaded = await uploadSet(client, workspace.id, fillOptions)
  await untilIdle(service.deps, workspace.id, fillOptions)
  return { workspaceId: workspace.id, ...uploaded }
}

/** Later than `ready`: words in pictures inside the documents are read as well. */
async function untilIdle(
  deps: Deps,
  workspaceId: string,
  { onProgress, signal }: FillOptions,
): Promise<void> {
  const report = onProgress('graph')
  const initial = await countTasks(deps.db, workspaceId)
  for (let left = initial; left > 0; left = await countTasks(deps.db, workspaceId)) {
    report(Math.max(0, initial - left), initial)
    await sleep(POLL_MS, undefined, { signal })
  }
  report(1, 1)
}

export function searchesWith(
  find: FindPassages,
  names: ReadonlyMap<string, readonly string[]>,
): Required<Pick<Target, 'search' | 'searchDeep'>> {
  const passages = async (query: string, limit: number): Promise<Passage[]> =>
    (await find(query, limit)).map(({ document_id, text, page }) => ({
      documents: names.get(document_id) ?? [],
      text,
      page,
    }))
  return {
    search: (query) => passages(query, API_PASSAGES),
    searchDeep: (query) => passages(query, DEEP_PASSAGES),
  }
}
