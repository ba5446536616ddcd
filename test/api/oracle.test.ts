// Existence oracle: for ids in a body or a query, foreign and unknown ones get identical responses, except for what the request
// itself contained. Ids in paths are tested in matrix.test.ts, response times in lab/token.ts.

import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Job, Page } from '../../src/contract/resources.ts'
import { bodyOf, type Person, type TestApp, testApp } from '../support/app.ts'
import type { Answered } from '../support/contract.ts'
import { absent, type Contents, furnish, keyOf, multipart } from '../support/world.ts'

let app: TestApp
let owner: Person
let here: Contents
/** Of somebody else; the second one of the same owner. */
let theirs: Contents
let mine: Contents
const tokens: Record<string, string> = {}

beforeAll(async () => {
  app = await testApp({ askPerHour: 100_000 })
  owner = await app.person()
  here = await furnish(app, owner)
  mine = await furnish(app, owner)
  theirs = await furnish(app, await app.person())
  tokens.session = await app.token(owner)
  tokens.read = await app.token(owner, { scopes: ['knowledge:read'] })
  tokens.key = await keyOf(app, owner, [here.workspace_id])
})
afterAll(() => app.close())

function visible({ status, headers, text }: Answered) {
  const { 'x-request-id': _id, date: _date, ...rest } = headers
  return { status, headers: rest, text }
}

const send = (method: string, path: string, body?: object, token = tokens.session): Promise<Answered> =>
  app.send(method, `/v1/workspaces/${here.workspace_id}${path}`, token, body === undefined ? {} : { body })

describe.each(['session', 'read', 'key'])('with a token of %s', (kind) => {
  const alike = async (status: number, make: (ids: Contents) => Promise<Answered>): Promise<void> => {
    const nowhere = visible(await make(absent))
    expect(nowhere.status).toBe(status)
    for (const others of [theirs, mine]) expect(visible(await make(others))).toEqual(nowhere)
  }

  test('continuing a thread', async () => {
    await alike(404, (ids) =>
      send('POST', '/ask', { question: 'Who?', thread_id: ids.thread_id }, tokens[kind]),
    )
    await alike(404, (ids) =>
      send('POST', '/ask', { question: 'Who?', thread_id: ids.thread_id, stream: true }, tokens[kind]),
    )
  })

  test('searching in a scope', async () => {
    await alike(404, (ids) =>
      send('POST', '/search', { query: 'harbour', scope: ids.scope_name }, tokens[kind]),
    )
  })

  test('filtering by entities', async () => {
    await alike(200, (ids) =>
      send('POST', '/search', { query: 'harbour', entity_ids: [ids.entity_id] }, tokens[kind]),
    )
  })
})

test('documents of a scope', async () => {
  const put = async (ids: Contents) =>
    visible(await send('PUT', '/scopes/chosen', { document_ids: [here.document_id, ids.document_id] }))
  const nowhere = await put(absent)
  expect(nowhere.status).toBe(404)
  for (const others of [theirs, mine]) expect(await put(others)).toEqual(nowhere)
})

test('a cursor of another list, caller or workspace gets the same error as an invented one', async () => {
  const elsewhere = async (ids: Contents, token: string | undefined): Promise<string> => {
    const path = `/v1/workspaces/${ids.workspace_id}/files`
    await app.send('POST', path, token, multipart([{ name: 'one.md', text: '# One' }]))
    await app.send('POST', path, token, multipart([{ name: 'two.md', text: '# Two' }]))
    const page = bodyOf<Page<unknown>>(
      await app.send('GET', `/v1/workspaces/${ids.workspace_id}/jobs?limit=1`, token),
    )
    if (!page.next_cursor) throw new Error('one page was enough')
    return page.next_cursor
  }
  const cursor = await elsewhere(mine, tokens.session)
  const madeUp = `${cursor.slice(0, -4)}AAAA`
  const refusals = await Promise.all(
    [cursor, madeUp].map((tried) => send('GET', `/jobs?cursor=${encodeURIComponent(tried)}`)),
  )
  const said = refusals.map(({ status, text }) => [status, text.replaceAll(/"input":"[^"]*"/g, '"input"')])
  expect(said[0]).toEqual(said[1])
  expect(said[0]?.[0]).toBe(422)
})

test('a file that another workspace has is handled like one that nobody has', async () => {
  const text = `# A note\n\n${randomUUID()}\n`
  const upload = async (ids: Contents, token: string): Promise<Job> => {
    const path = `/v1/workspaces/${ids.workspace_id}/files`
    return bodyOf<Job>(await app.send('POST', path, token, multipart([{ name: 'known.md', text }])))
  }
  const jobs = [await upload(mine, tokens.session ?? ''), await upload(here, tokens.session ?? '')]
  const [first, second] = jobs.map(({ status, files }) => ({ status, files }))
  expect(second).toEqual(first)
  expect(first?.files).toEqual([{ filename: 'known.md', status: 'queued' }])
})

test('ids mean the same in any letter case, for every credential', async () => {
  const shouted = here.workspace_id.toUpperCase()
  for (const token of Object.values(tokens)) {
    const list = (id: string) => app.send('GET', `/v1/workspaces/${id}/documents`, token)
    const [plain, loud] = [await list(here.workspace_id), await list(shouted)]
    expect([loud.status, loud.body]).toEqual([200, plain.body])
  }
})
