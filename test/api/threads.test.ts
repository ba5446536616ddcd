// Conversations over HTTP: who can see them, what they show of changed documents, and follow-up questions.

import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CitedPassage, Thread, ThreadContent } from '../../src/contract/conversations.ts'
import type { Answer, Page } from '../../src/contract/resources.ts'
import { bodyOf, type Person, type TestApp, testApp } from '../support/app.ts'
import { publish } from '../support/publish.ts'
import { keyOf } from '../support/world.ts'

let app: TestApp
let owner: Person
let token: string
let workspace: string

beforeAll(async () => {
  app = await testApp({ askPerHour: 100_000 })
  owner = await app.person()
  token = await app.token(owner)
  workspace = await app.workspace(owner)
  await publish(app.deps.db, workspace, randomUUID(), [
    'The slipway crane lifts twelve tonnes and stands behind the boat hall.',
    'Ingrid Solheim is the chair of the co-operative. She was elected in March 2021 by the members.',
  ])
})
afterAll(() => app.close())

const at = (path = '', where = workspace): string => `/v1/workspaces/${where}/threads${path}`
const read = async <Body>(path: string, as = token, where = workspace): Promise<Body> =>
  bodyOf<Body>(await app.send('GET', at(path, where), as))
const statusOf = async (method: string, path: string, as = token, where = workspace): Promise<number> =>
  (await app.send(method, at(path, where), as)).status

async function ask(question: string, thread: string | null = null, as = token, where = workspace) {
  const body = { question, thread_id: thread }
  return bodyOf<Answer>(await app.send('POST', `/v1/workspaces/${where}/ask`, as, { body }))
}

test('a thread has its first question as title and its turns in order', async () => {
  const first = await ask('How many tonnes does the\n slipway crane lift?')
  await ask('Who is the chair of the co-operative?', first.thread_id)
  const thread = await read<ThreadContent>(`/${first.thread_id}`)
  expect(thread).toMatchObject({
    id: first.thread_id,
    title: 'How many tonnes does the slipway crane lift?',
    turn_count: 2,
    has_more: false,
    next_cursor: null,
  })
  expect(thread.turns.map(({ number }) => number)).toEqual([1, 2])
  const [turn] = thread.turns
  expect(turn?.answer).toBe(first.answer)
  expect(turn?.citations.map(({ state: _state, spans: _spans, ...citation }) => citation)).toEqual(
    first.citations,
  )
  expect(turn?.citations.map(({ state }) => state)).toEqual(first.citations.map(() => 'current'))
  const long = await ask(`Who ${'really '.repeat(40)}wrote it?`)
  const { title } = await read<ThreadContent>(`/${long.thread_id}`)
  expect(title).toMatch(/^Who( really)+…$/)
  expect(title.length).toBeLessThanOrEqual(81)
})

test('the value that is asked for is beside the answer and kept with it, as long as its document has it', async () => {
  const where = await app.workspace(owner)
  const document = randomUUID()
  const fee = 'Late keys cost CHF 40.'
  await publish(app.deps.db, where, document, ['Keys are kept in the porter’s lodge.', fee])
  const { thread_id, answer, value } = await ask('How much do late keys cost?', null, token, where)
  expect(value).toEqual({ text: 'CHF 40', citation: 1 })
  expect(answer).toContain(`“${fee}”`)
  const turnOf = async () => (await read<ThreadContent>(`/${thread_id}`, token, where)).turns[0]
  expect(await turnOf()).toMatchObject({ answer, value })
  expect(await ask('Who keeps the keys?', null, token, where)).not.toHaveProperty('value')
  await publish(app.deps.db, where, document, ['Keys that come back late cost CHF 50.'])
  expect(await turnOf()).not.toHaveProperty('value')
})

test('the list is filtered by words of the title in any order, or of the first question without one', async () => {
  const where = await app.workspace(owner)
  const { thread_id } = await ask('How tall is the harbour light?', null, token, where)
  const { thread_id: renamed } = await ask('Who paints the hull?', null, token, where)
  await app.send('PATCH', at(`/${renamed}`, where), token, { body: { title: '100 % of the hulls' } })
  const titled = async (q: string): Promise<string[]> =>
    (await read<Page<Thread>>(`?q=${encodeURIComponent(q)}`, token, where)).data.map(({ id }) => id)
  expect(await titled('LIGHT harb')).toEqual([thread_id])
  expect(await titled('100 % hulls')).toEqual([renamed])
  expect(await titled('paints')).toEqual([])
  expect(await titled(' ')).toEqual([renamed, thread_id])
  const other = await app.token(await app.person())
  expect(await statusOf('GET', '?q=hull', other, where)).toBe(404)
})

test('a conversation that is shared is read by members, until it is taken back', async () => {
  const { thread_id } = await ask('How many tonnes does the slipway crane lift?')
  const member = await app.person()
  await app.member(workspace, member, 'viewer')
  const [ofMember, ofStranger] = [await app.token(member), await app.token(await app.person())]
  const shared = `/v1/workspaces/${workspace}/shared-threads/${thread_id}`
  const readings = async (): Promise<number[]> =>
    Promise.all([token, ofMember, ofStranger].map(async (as) => (await app.send('GET', shared, as)).status))
  expect(await readings()).toEqual([404, 404, 404])
  expect(await statusOf('PUT', `/${thread_id}/share`, ofMember)).toBe(404)
  const put = bodyOf<Thread>(await app.send('PUT', at(`/${thread_id}/share`), token))
  expect(put.shared_at).not.toBeNull()
  expect(await readings()).toEqual([200, 200, 404])
  const content = bodyOf<ThreadContent>(await app.send('GET', shared, ofMember))
  expect(content.turns).toMatchObject([{ number: 1, feedback: null }])
  expect(content.turns[0]?.citations.length).toBeGreaterThan(0)
  // It is read, and stays its owner's.
  expect(await statusOf('GET', `/${thread_id}`, ofMember)).toBe(404)
  expect(await statusOf('DELETE', `/${thread_id}/share`, ofMember)).toBe(404)
  expect(await statusOf('DELETE', `/${thread_id}/share`)).toBe(204)
  expect(await readings()).toEqual([404, 404, 404])
})

test('what is asked after sharing is shown once the conversation is shared again', async () => {
  const { thread_id } = await ask('How many tonnes does the slipway crane lift?')
  const put = async () => bodyOf<Thread>(await app.send('PUT', at(`/${thread_id}/share`), token))
  const first = await put()
  await ask('Who is the chair of the co-operative?', thread_id)
  const shared = `/v1/workspaces/${workspace}/shared-threads/${thread_id}`
  const shown = async () => {
    const content = bodyOf<ThreadContent>(await app.send('GET', shared, token))
    return [content.turn_count, content.turns.map(({ number }) => number)]
  }
  expect(await shown()).toEqual([1, [1]])
  expect((await read<ThreadContent>(`/${thread_id}`)).turn_count).toBe(2)
  const again = await put()
  expect(Date.parse(again.shared_at ?? '')).toBeGreaterThan(Date.parse(first.shared_at ?? ''))
  expect(await shown()).toEqual([2, [1, 2]])
})

test('a conversation is shared no longer than its sharer is a member, and owners withdraw it', async () => {
  const [sharer, colleague] = [await app.person(), await app.person()]
  for (const person of [sharer, colleague]) await app.member(workspace, person, 'editor')
  const [ofSharer, ofColleague] = [await app.token(sharer), await app.token(colleague)]
  const { thread_id } = await ask('How many tonnes does the slipway crane lift?', null, ofSharer)
  const shared = `/v1/workspaces/${workspace}/shared-threads/${thread_id}`
  const reading = async (): Promise<number> => (await app.send('GET', shared, ofColleague)).status
  // An owner takes back what is shared, and learns nothing of what is not.
  expect(await statusOf('DELETE', `/${thread_id}/share`)).toBe(404)
  expect(await statusOf('PUT', `/${thread_id}/share`, ofSharer)).toBe(200)
  expect(await statusOf('DELETE', `/${thread_id}/share`, ofColleague)).toBe(404)
  expect(await statusOf('DELETE', `/${thread_id}/share`)).toBe(204)
  expect(await reading()).toBe(404)
  expect(await statusOf('PUT', `/${thread_id}/share`, ofSharer)).toBe(200)
  expect(await reading()).toBe(200)
  const member = `/v1/workspaces/${workspace}/members/${sharer.id}`
  expect((await app.send('DELETE', member, token)).status).toBe(204)
  expect(await reading()).toBe(404)
})

test('a conversation of an API key is shared until the key is revoked', async () => {
  const key = await keyOf(app, owner, [workspace])
  const { thread_id } = await ask('How many tonnes does the slipway crane lift?', null, key)
  const shared = `/v1/workspaces/${workspace}/shared-threads/${thread_id}`
  const reading = async (): Promise<number> => (await app.send('GET', shared, token)).status
  expect(await statusOf('PUT', `/${thread_id}/share`, key)).toBe(200)
  expect(await reading()).toBe(200)
  await app.deps.db.rows(sql`UPDATE api_key SET revoked_at = now() WHERE account_id = ${owner.id}`)
  expect(await reading()).toBe(404)
})

test('the threads are listed by when they were used last, in pages; so are their turns', async () => {
  const mine = await app.person()
  const [as, where] = [await app.token(mine), await app.workspace(mine)]
  const ids: string[] = []
  for (const question of ['One?', 'Two?', 'Three?'])
    ids.push((await ask(question, null, as, where)).thread_id)
  await ask('And more?', ids[0], as, where)
  const order = [ids[0], ids[2], ids[1]]
  const all = await read<Page<Thread>>('', as, where)
  expect(all.data.map(({ id, title, turn_count }) => [id, title, turn_count])).toEqual([
    [order[0], 'One?', 2],
    [order[1], 'Three?', 1],
    [order[2], 'Two?', 1],
  ])
  const found: string[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: Page<Thread> = await read(`?limit=1${cursor && `&cursor=${cursor}`}`, as, where)
    found.push(...page.data.map(({ id }) => id))
    cursor = page.next_cursor
  }
  expect(found).toEqual(order)
  const start = await read<ThreadContent>(`/${ids[0]}?limit=1`, as, where)
  const rest = await read<ThreadContent>(`/${ids[0]}?limit=1&cursor=${start.next_cursor}`, as, where)
  expect([start, rest].map(({ turns, has_more }) => [turns[0]?.question, has_more])).toEqual([
    ['One?', true],
    ['And more?', false],
  ])
  expect(await statusOf('GET', `?cursor=${start.next_cursor}`, as, where)).toBe(422)
})

test("a thread is its caller's own: nobody else lists, reads or removes it", async () => {
  const { thread_id: id } = await ask('Who is the chair?')
  const colleague = await app.person()
  await app.member(workspace, colleague, 'editor')
  const other = await app.token(colleague)
  const elsewhere = await app.workspace(owner)
  expect((await read<Page<Thread>>('', other)).data).toEqual([])
  expect((await read<Page<Thread>>('', token, elsewhere)).data).toEqual([])
  for (const path of [`/${id}`, `/${id}/turns/1/citations`]) {
    expect(await statusOf('GET', path, other)).toBe(404)
    expect(await statusOf('GET', path, token, elsewhere)).toBe(404)
    expect(await statusOf('GET', path)).toBe(200)
  }
  expect(await statusOf('DELETE', `/${id}`, other)).toBe(404)
  expect(await statusOf('DELETE', `/${id}`, token, elsewhere)).toBe(404)
  expect(await statusOf('DELETE', `/${id}`)).toBe(204)
  expect(await statusOf('DELETE', `/${id}`)).toBe(404)
  expect(await statusOf('GET', `/${id}`)).toBe(404)
  const body = { question: 'And then?', thread_id: id }
  expect((await app.send('POST', `/v1/workspaces/${workspace}/ask`, token, { body })).status).toBe(404)
})

test('the source of a citation: chunk, sentences, page; an unknown turn is 404', async () => {
  const answer = await ask('Who is the chair of the co-operative?')
  const { data } = await read<Page<CitedPassage>>(`/${answer.thread_id}/turns/1/citations`)
  expect(data.map(({ number }) => number)).toEqual(answer.citations.map(({ number }) => number))
  const [passage] = data
  expect(passage).toMatchObject({ state: 'current', type: 'text', page: 2, boxes: [] })
  const said = passage?.spans.map(({ start, end }) => passage.text?.slice(start, end))
  expect(said).toContain('Ingrid Solheim is the chair of the co-operative.')
  for (const [turn, status] of [
    ['2', 404],
    ['0', 422],
    ['x', 422],
  ] as const)
    expect(await statusOf('GET', `/${answer.thread_id}/turns/${turn}/citations`)).toBe(status)
})

describe('what the documents no longer hold', () => {
  const text = 'The winter berth of the Kittiwake costs 4,180 crowns a season.'

  /** A workspace with that document and another, and a question both are cited for. */
  async function told() {
    const where = await app.workspace(owner)
    const [gone, stays] = [randomUUID(), randomUUID()]
    await publish(app.deps.db, where, gone, [text], 'Secret prices')
    await publish(
      app.deps.db,
      where,
      stays,
      ['The winter berth of the Gannet costs 3,900 crowns a season.'],
      'List',
    )
    const answer = await ask(
      'Which costs more, the winter berth of the Kittiwake or of the Gannet?',
      null,
      token,
      where,
    )
    expect(answer.citations.map(({ document_title }) => document_title).sort()).toEqual([
      'List',
      'Secret prices',
    ])
    return { where, gone, stays, answer, thread: `/${answer.thread_id}` }
  }

  test('of a deleted document neither history nor the next turn shows anything but the numbers', async () => {
    const { where, gone, answer, thread } = await told()
    expect((await app.send('DELETE', `/v1/workspaces/${where}/documents/${gone}`, token)).status).toBe(204)
    const shown = await app.send('GET', at(thread, where), token)
    for (const secret of ['4,180', 'Secret prices', gone]) expect(shown.text).not.toContain(secret)
    const [turn] = bodyOf<ThreadContent>(shown).turns
    expect(turn?.answer).toContain('3,900')
    expect(turn?.answer).toContain('Withheld: a document cited here was deleted.')
    const numbers = [...(turn?.answer ?? '').matchAll(/\[(\d+)\]/g)].map((match) => Number(match[1]))
    expect([...new Set(numbers)].sort()).toEqual(answer.citations.map(({ number }) => number))
    expect(turn?.citations.map(({ state }) => state).sort()).toEqual(['current', 'deleted'])
    expect(turn?.citations.find(({ state }) => state === 'deleted')).toMatchObject({
      text: null,
      document_id: null,
    })
    const places = await app.send('GET', at(`${thread}/turns/1/citations`, where), token)
    for (const secret of ['4,180', 'Secret prices', gone]) expect(places.text).not.toContain(secret)
    const next = await ask('And what does it cost?', answer.thread_id, token, where)
    expect(next.answer).not.toContain('4,180')
  })

  test('a passage missing in a new version is `changed`: it keeps its title without text', async () => {
    const { where, gone, thread } = await told()
    await publish(app.deps.db, where, gone, ['Prices are told at the office.'], 'Secret prices')
    const { turns } = await read<ThreadContent>(thread, token, where)
    expect(turns[0]?.citations.find(({ document_id }) => document_id === gone)).toMatchObject({
      state: 'changed',
      text: null,
      page: null,
      document_title: 'Secret prices',
    })
  })

  test('a passage that is the same in the new version is `current`', async () => {
    const { where, gone, thread } = await told()
    await publish(app.deps.db, where, gone, ['Prices of the season.'.repeat(60), text], 'Prices')
    const { turns } = await read<ThreadContent>(thread, token, where)
    const citation = turns[0]?.citations.find(({ document_id }) => document_id === gone)
    expect(citation?.document_title).toBe('Prices')
  })
})

test('a follow-up question can refer to a name in the answer', async () => {
  const first = await ask('Who is the chair of the co-operative?')
  const next = await ask('And when was she elected?', first.thread_id)
  expect(next.answer).toContain('March 2021')
})
