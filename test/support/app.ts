// The real app on a real database and a real folder: everything but the socket. Makes people, tokens and workspaces.

import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance, InjectOptions } from 'fastify'
import { insertAccount } from '../../src/accounts/accounts.sql.ts'
import { emailKey } from '../../src/accounts/email-key.ts'
import { openPasswords } from '../../src/accounts/password-hash.ts'
import { insertSession } from '../../src/accounts/sessions.sql.ts'
import { type Role, SCOPES } from '../../src/auth/caller.ts'
import { cursorKey } from '../../src/auth/cursor.ts'
import { buildServer } from '../../src/http/server.ts'
import { openAdmission } from '../../src/ports/admission/admission.ts'
import { openDiskBlobs } from '../../src/ports/blobs/disk.ts'
import { openDiskCache } from '../../src/ports/cache/disk-cache.ts'
import { openMemoryCache } from '../../src/ports/cache/memory-cache.ts'
import type { DbConnection } from '../../src/ports/db/connection.ts'
import { openDb } from '../../src/ports/db/postgres.ts'
import type { Deps, Settings } from '../../src/ports/deps.ts'
import { publicAnd } from '../../src/ports/outbound/guard.ts'
import { type Internet, openUntrustedJson } from '../../src/ports/outbound/untrusted-json.ts'
import { sealWith } from '../../src/ports/seal.ts'
import { openPool } from '../../src/reader/pool.ts'
import { insertWorkspace } from '../../src/workspaces/workspaces.sql.ts'
import { type Answered, checkAnswer, rowOf } from './contract.ts'
import { PATIENT, testDatabase, withReplica } from './database.ts'
import { type WatchedLog, watchedLog } from './log.ts'
import { NO_MODELS } from './no-models.ts'
import { insertToken, setRole, type TokenRows } from './rows.sql.ts'
import { PASSWORDS } from './secrets.ts'

export const PASSWORD: string = PASSWORDS[0]
export const ABSENT = '3f2504e0-4f89-41d3-9a0c-0305e82c3301'

export interface Person {
  id: string
  email: string
}

export interface TestApp {
  server: FastifyInstance
  deps: Deps
  /** Where its database is, for a process beside it. */
  connection: DbConnection
  /** What was logged as error: a test may empty it; `close` fails when some is left. */
  errors: { fields: object; message: string }[]
  /** Its log; `close` fails when a line of it says what no log may say. */
  log: WatchedLog
  person(): Promise<Person>
  /** The browser of the person, signed in: what it sends as Cookie. */
  cookie(person: Person): Promise<string>
  /** A bearer of the person; by default an OAuth one with both scopes. */
  token(person: Person, options?: Partial<TokenRows>): Promise<string>
  workspace(owner: Person, name?: string): Promise<string>
  member(workspaceId: string, person: Person, role: Role): Promise<void>
  /** Sends a request and holds the answer against the contract. */
  send(method: string, url: string, token?: string, more?: Sending): Promise<Answered>
  close(): Promise<void>
}

export interface Sending {
  body?: unknown
  payload?: string | Buffer
  headers?: Record<string, string | string[]>
}

/** @param internet where metadata documents of OAuth clients come from */
export async function testApp(settings: Partial<Settings> = {}, internet?: Internet): Promise<TestApp> {
  const database = await testDatabase()
  const dataDir = mkdtempSync(join(tmpdir(), 'kenning-app-'))
  const db = openDb(database.connection, { ...PATIENT, ...withReplica(database.connection) })
  const origin = 'http://127.0.0.1:8484'
  const log = watchedLog()
  const { errors, leaks } = log
  const pages = openPool({ size: 1, cacheDir: dataDir, log })
  const deps: Deps = {
    db,
    blobs: await openDiskBlobs(dataDir),
    cache: openDiskCache(join(dataDir, 'cache'), { maxBytes: 2 ** 25, maxUnusedMs: 3_600_000 }),
    // Too small are the workspaces of tests: those of this memory make one of their own.
    memory: openMemoryCache({
      maxBytes: 0,
      minSize: Infinity,
      minRequests: 1,
      restMs: 0,
      waitMs: 0,
      onError: () => {},
    }),
    pages,
    embedder: async () => ({ kind: 'none' as const }),
    localEmbedder: { kind: 'none' },
    llm: async () => undefined,
    graphTokens: async () => 0,
    reranker: async () => undefined,
    clientMetadata: openUntrustedJson(internet),
    // Nothing of the tests asks the public internet: what they may reach is on this machine.
    mayConnect: publicAnd(['127.0.0.1']),
    seal: sealWith(randomBytes(32)),
    company: undefined,
    mail: undefined,
    metrics: undefined,
    use: undefined,
    log,
    passwords,
    admission: openAdmission(),
    settings: {
      baseUrl: `${origin}/v1`,
      siteUrl: origin,
      origin,
      askPerHour: 60,
      models: NO_MODELS,
      llmFallback: 'extractive',
      dataDir,
      backupDir: undefined,
      signup: 'closed',
      trustedProxies: [],
      corsOrigins: [],
      company: undefined,
      sources: { folders: [], remotes: [], environment: {} },
      privateNetworks: ['127.0.0.1'],
      sourceHours: 24,
      consoleDir: undefined,
      ...settings,
    },
    cursorKey: await cursorKey(db),
  }
  const server = await buildServer(deps)
  await server.ready()
  return {
    server,
    deps,
    connection: database.connection,
    errors,
    log,
    ...people(deps),
    send: (method, url, token, more = {}) => send(server, method, url, token, more),
    close: async () => {
      await server.close()
      await pages.close()
      await db.close()
      await database.close()
      rmSync(dataDir, { recursive: true, force: true })
      if (errors.length) throw new Error(`errors were logged: ${describe(errors)}`)
      if (leaks.length) throw new Error(`secrets were logged: ${leaks.join('')}`)
    },
  }
}

const describe = (errors: TestApp['errors']): string =>
  errors
    .map(({ fields, message }) => `${message} ${String((fields as { err?: unknown }).err ?? '')}`)
    .join('\n')

// What a hash costs is the subject of password-hash.test.ts; here it is the smallest that Argon2 takes.
const passwords = openPasswords({ memoryCost: 8, timeCost: 1 })
// One hash for everybody.
let passwordHash: Promise<string> | undefined

function people(deps: Deps): Pick<TestApp, 'person' | 'cookie' | 'token' | 'workspace' | 'member'> {
  const token: TestApp['token'] = async (person, options = {}) => {
    const secret = `ken_at_${randomBytes(32).toString('base64url')}`
    await insertToken(deps.db, {
      grantId: randomUUID(),
      accountId: person.id,
      hash: createHash('sha256').update(secret).digest(),
      scopes: [...SCOPES],
      resource: deps.settings.baseUrl,
      clientId: 'a-client',
      expiresIn: 3600,
      ...options,
    })
    return secret
  }
  return {
    token,
    cookie: async (person) => {
      const secret = randomBytes(32).toString('base64url')
      const hash = createHash('sha256').update(secret).digest()
      await insertSession(deps.db, { hash, accountId: person.id, seconds: 3600 })
      return `ken_session=${secret}`
    },
    person: async () => {
      const id = randomUUID()
      const email = `${id.slice(0, 8)}@example.org`
      passwordHash ??= passwords.hash(PASSWORD)
      const row = { id, email, emailKey: emailKey(email), passwordHash: await passwordHash, admin: false }
      await insertAccount(deps.db, row)
      return { id, email }
    },
    workspace: async (owner, name = 'A workspace') => {
      const id = randomUUID()
      await deps.db.tx((tx) => insertWorkspace(tx, { id, name, description: '', createdBy: owner.id }))
      return id
    },
    member: async (workspaceId, person, role) => {
      await setRole(deps.db, workspaceId, person.id, role)
    },
  }
}

async function send(
  server: FastifyInstance,
  method: string,
  url: string,
  token: string | undefined,
  more: Sending,
): Promise<Answered> {
  const json = more.body === undefined ? {} : { 'content-type': 'application/json' }
  const bearer = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const payload = more.payload ?? (more.body === undefined ? undefined : JSON.stringify(more.body))
  const response = await server.inject({
    method: method as NonNullable<InjectOptions['method']>,
    url,
    headers: { ...json, ...bearer, ...more.headers },
    ...(payload === undefined ? {} : { payload }),
  })
  const answer = {
    status: response.statusCode,
    headers: response.headers,
    text: response.body,
    body: parsed(response.body),
  }
  checkAnswer(rowOf(method, url), answer)
  return answer
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** The body of a success, typed by the caller. */
export const bodyOf = <T>(answer: Answered): T => answer.body as T
