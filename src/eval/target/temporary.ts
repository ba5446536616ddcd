// A service for the time of an evaluation: an embedded engine, an API and a worker on a folder that is removed again, or kept.
// Documents go in over HTTP like anybody's; searches go to the room function, which gives more than 20 passages.

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
import { countTasks } from '../eval.sql.ts'
import { makeClient, type TokenSource } from './client.ts'
import type { Filled, Filling, Passage, Target } from './target.ts'
import { uploadSet } from './upload.ts'

const API_PASSAGES = 20
// 100 documents of two passages each; near-duplicates are compared pair by pair, so that twice as many take four times as long.
const DEEP_PASSAGES = 200
const POLL_MS = 500

/** Warnings and errors would break the progress bars: what matters of them reaches the report as a failed file. */
const silent: Log = { debug() {}, info() {}, warn() {}, error() {} }

/** A service of our own, without documents. */
export interface TemporaryService {
  deps: Deps
  caller: Caller
  /** `{origin}/v1` */
  base: string
  token: TokenSource
  /** Of the embedded engine, while it runs. */
  enginePid(): number | undefined
  /** Stops it and removes its folder, unless that was to be kept. */
  stop(): Promise<void>
}

export interface TemporaryOptions {
  /** An empty database on a server, instead of the embedded engine. */
  databaseUrl?: string
  /** Settings of the service, over those of the environment. */
  settings?: Record<string, string>
  /** A folder that stays and is taken up again, with what is in it; instead of one that is removed. */
  folder?: string | undefined
}

/** @param main the module that runs a role of the service when its environment says so */
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

/** The one account of the service: made with its folder. */
async function accountOf(dataDir: string): Promise<{ email: string; password: string }> {
  const path = join(dataDir, 'eval-password')
  const made = randomBytes(24).toString('base64url')
  await mkdir(dataDir, { recursive: true })
  await writeFile(path, made, { flag: 'wx', mode: 0o600 }).catch((error: { code?: string }) => {
    if (error.code !== 'EEXIST') throw error
  })
  return { email: 'eval@localhost.localdomain', password: await readFile(path, 'utf8') }
}

/** Its own database, address and account, whatever the environment says; how it searches stays as it is set there. */
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
  if (address === null || typeof address === 'string') throw new EvaluationFailed('No free port was found.')
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
    if (!answer.ok) throw new EvaluationFailed(`The temporary service gave no token: ${answer.status}.`)
    return ((await answer.json()) as { access_token: string }).access_token
  }
  return (renew) => {
    if (renew || !bearer) bearer = fresh()
    return bearer
  }
}

/** How the room function is asked; a bench asks for parts of it. */
export type Ask = (
  query: string,
  limit: number,
) => Promise<{ document_id: string; text: string; page: number | null }[]>

/** A temporary service that holds the set, nothing left to do in it: documents counted, graph made, vectors there. */
export async function fillTemporary(
  main: URL,
  name: string,
  filling: Filling,
  options: TemporaryOptions = {},
): Promise<Filled> {
  const service = await startTemporary(main, options)
  try {
    const { workspaceId, names, unread } = await fillService(service, name, filling)
    const client = makeClient(service.base, service.token, filling.signal)
    const ask: Ask = (query, limit) =>
      findPassages(service.deps, service.caller, workspaceId, { query, limit })
    const workspace = { client, id: workspaceId, names }
    return { says: 'a temporary service', workspace, unread, ...asking(ask, names), close: service.stop }
  } catch (error) {
    await service.stop()
    throw error
  }
}

export async function fillService(service: TemporaryService, name: string, filling: Filling) {
  const client = makeClient(service.base, service.token, filling.signal)
  const workspace = await client.json<Workspace>('POST', '/workspaces', { name: name.slice(0, 200) })
  const uploaded = await uploadSet(client, workspace.id, filling)
  await nothingLeft(service.deps, workspace.id, filling)
  return { workspaceId: workspace.id, ...uploaded }
}

/** More than `ready`: words in pictures inside the documents are read as well. */
async function nothingLeft(deps: Deps, workspaceId: string, { onProgress, signal }: Filling): Promise<void> {
  const report = onProgress('graph')
  const first = await countTasks(deps.db, workspaceId)
  for (let left = first; left > 0; left = await countTasks(deps.db, workspaceId)) {
    report(Math.max(0, first - left), first)
    await sleep(POLL_MS, undefined, { signal })
  }
  report(1, 1)
}

export function asking(
  ask: Ask,
  names: ReadonlyMap<string, readonly string[]>,
): Required<Pick<Target, 'search' | 'searchDeep'>> {
  const passages = async (query: string, limit: number): Promise<Passage[]> =>
    (await ask(query, limit)).map(({ document_id, text, page }) => ({
      documents: names.get(document_id) ?? [],
      text,
      page,
    }))
  return {
    search: (query) => passages(query, API_PASSAGES),
    searchDeep: (query) => passages(query, DEEP_PASSAGES),
  }
}
