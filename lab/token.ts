// What knowing who asks costs: the check of a token beside `select 1`, and the second wall (row-level security) beside
// the same requests without it; and whether the time of an answer tells another's workspace from none.

import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import sql from 'sql-template-tag'
import { insertAccount } from '../src/accounts/accounts.sql.ts'
import { insertKey } from '../src/accounts/keys.sql.ts'
import { authenticate } from '../src/auth/credential.ts'
import { buildServer } from '../src/http/server.ts'
import type { Deps } from '../src/ports/deps.ts'
import { insertWorkspace } from '../src/workspaces/workspaces.sql.ts'
import { type BenchOptions, median, quantile, table } from './report.ts'
import { type Filled, fill, withDatabase } from './speed/fill.ts'

const CHUNKS = 1500 // the first of five workspaces holds 60 %
const ROUNDS = 2000
const WARM_UP = 100

type Times = Record<string, number[]>

export async function benchToken({ databaseUrl }: BenchOptions): Promise<string> {
  return await withDatabase(databaseUrl, async (url) => {
    const filled = await fill(CHUNKS, { data: undefined, databaseUrl: url, folder: undefined })
    try {
      return await benchOn(filled, url === undefined ? 'embedded' : 'PostgreSQL')
    } finally {
      await filled.service.stop()
    }
  })
}

async function benchOn({ service, workspaces }: Filled, where: string): Promise<string> {
  const { deps, caller } = service
  const [workspace] = workspaces
  if (!workspace) throw new Error('nothing was filled')
  const token = await service.token(false)
  const key = await createKey(deps, caller.userId, workspace.id)
  const check = await inTurns(ROUNDS, {
    'select 1': () => deps.db.rows(sql`SELECT 1`),
    'access token': () => authenticate(deps, [`Bearer ${token}`]),
    'API key': () => authenticate(deps, [`Bearer ${key}`]),
  })
  const { db } = deps
  const [walled, open] = [
    await buildServer(deps),
    await buildServer({ ...deps, db: { ...db, as: () => db } }),
  ]
  const me = (server: FastifyInstance) => ask(server, token, 'GET', '/v1/me')
  const queries = workspace.items.map(({ query }) => query)
  const search = (server: FastifyInstance) => async (round: number) =>
    ask(server, token, 'POST', `/v1/workspaces/${workspace.id}/search`, {
      query: queries[round % queries.length],
    })
  const wall = {
    'GET /v1/me': await inTurns(ROUNDS, { with: () => me(walled), without: () => me(open) }),
    search: await inTurns(queries.length * 3, { with: search(walled), without: search(open) }),
  }
  const foreign = await foreignWorkspace(deps)
  const absent = randomUUID()
  const oracle = await inTurns(ROUNDS, {
    "another's": () => ask(walled, token, 'GET', `/v1/workspaces/${foreign}`, undefined, 404),
    absent: () => ask(walled, token, 'GET', `/v1/workspaces/${absent}`, undefined, 404),
  })
  await Promise.all([walled.close(), open.close()])
  return report(where, check, wall, oracle, workspace.chunks)
}

/** Milliseconds of each, `rounds` times one after the other, who is first by turns. */
async function inTurns(
  rounds: number,
  runs: Record<string, (round: number) => Promise<unknown>>,
): Promise<Times> {
  const names = Object.keys(runs)
  const times: Times = Object.fromEntries(names.map((name) => [name, []]))
  for (let round = -Math.min(WARM_UP, rounds); round < rounds; round++) {
    for (const at of names.keys()) {
      const name = names[(at + Math.abs(round)) % names.length] ?? ''
      const started = performance.now()
      await runs[name]?.(Math.abs(round))
      if (round >= 0) times[name]?.push(performance.now() - started)
    }
  }
  return times
}

async function ask(
  server: FastifyInstance,
  token: string,
  method: 'GET' | 'POST',
  url: string,
  body?: object,
  status = 200,
): Promise<void> {
  const headers = {
    authorization: `Bearer ${token}`,
    ...(body ? { 'content-type': 'application/json' } : {}),
  }
  const answer = await server.inject({
    method,
    url,
    headers,
    ...(body ? { payload: JSON.stringify(body) } : {}),
  })
  if (answer.statusCode !== status) throw new Error(`${method} ${url}: ${answer.statusCode} ${answer.body}`)
}

async function createKey({ db }: Deps, accountId: string, workspaceId: string): Promise<string> {
  const secret = `ken_mcp_${randomBytes(32).toString('base64url')}`
  const hash = createHash('sha256').update(secret).digest()
  const row = { id: randomUUID(), accountId, hash, lastFour: secret.slice(-4), name: 'bench' }
  await insertKey(db, { ...row, workspaceIds: [workspaceId], expiresAt: undefined })
  return secret
}

async function foreignWorkspace({ db }: Deps): Promise<string> {
  const other = randomUUID()
  const email = `${other}@localhost.localdomain`
  await insertAccount(db, { id: other, email, emailKey: email, passwordHash: undefined, admin: false })
  const id = randomUUID()
  await db.tx((tx) => insertWorkspace(tx, { id, name: 'another', description: '', createdBy: other }))
  return id
}

const ms = (values: number[] | undefined, share = 0.5): string => quantile(values ?? [], share).toFixed(2)

function report(
  where: string,
  check: Times,
  wall: Record<string, Times>,
  oracle: Times,
  chunks: number,
): string {
  const one = check['select 1'] ?? []
  const difference = median(oracle["another's"] ?? []) - median(oracle.absent ?? [])
  return [
    `## Who asks (${where})`,
    `Milliseconds, in turns in one process; search over ${chunks} chunks. Where others share the cores the fastest twentieth (p5) tells more than the median, which is their queue.`,
    table(
      ['check of a credential', 'p5', 'p50', 'p99', 'times `select 1` at p5', 'at p50'],
      Object.entries(check).map(([name, times]) => [
        name,
        ms(times, 0.05),
        ms(times),
        ms(times, 0.99),
        (quantile(times, 0.05) / quantile(one, 0.05)).toFixed(2),
        (median(times) / median(one)).toFixed(2),
      ]),
    ),
    table(
      ['second wall', 'p5 with', 'p5 without', 'p50 with', 'p50 without'],
      Object.entries(wall).map(([name, times]) => [
        name,
        ms(times.with, 0.05),
        ms(times.without, 0.05),
        ms(times.with),
        ms(times.without),
      ]),
    ),
    `404 for another's workspace ${ms(oracle["another's"])}, for none ${ms(oracle.absent)}: medians of ${ROUNDS} pairs differ by ` +
      `${Math.round(difference * 1000)} µs.`,
  ].join('\n\n')
}
