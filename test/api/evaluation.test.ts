// What people say about results: names of conversations, feedback on answers, saved evaluation questions, and their export.

import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Feedback, Thread, ThreadContent } from '../../src/contract/conversations.ts'
import type { EvaluationLine, EvaluationQuestion } from '../../src/contract/evaluation.ts'
import type { Answer, Page, SearchResults } from '../../src/contract/resources.ts'
import { readQuestions } from '../../src/eval/answers/questions.ts'
import { readSet } from '../../src/eval/set/set.ts'
import { bodyOf, type Person, type TestApp, testApp } from '../support/app.ts'
import { publish } from '../support/publish.ts'

let app: TestApp
let owner: Person
let viewer: Person
let workspace: string
let as: { owner: string; viewer: string }
let crane: { document: string; chunk: string }
let folder: string
const CRANE = 'The slipway crane lifts twelve tonnes. It stands behind the boat hall.'

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'kenning-evaluation-'))
  app = await testApp({ askPerHour: 100_000 })
  ;[owner, viewer] = await Promise.all([app.person(), app.person()])
  as = { owner: await app.token(owner), viewer: await app.token(viewer) }
  workspace = await app.workspace(owner)
  await app.member(workspace, viewer, 'viewer')
  const document = randomUUID()
  const [chunk = ''] = await publish(app.deps.db, workspace, document, [CRANE], 'Yard')
  crane = { document, chunk }
})
afterAll(async () => {
  await app.close()
  rmSync(folder, { recursive: true })
})

const at = (path: string, where = workspace): string => `/v1/workspaces/${where}${path}`
const send = (method: string, path: string, token: string, body?: object, where = workspace) =>
  app.send(method, at(path, where), token, body ? { body } : {})
const ask = async (question: string, token: string, thread: string | null = null, where = workspace) =>
  bodyOf<Answer>(await send('POST', '/ask', token, { question, thread_id: thread }, where))
const exported = async (token: string, where = workspace): Promise<EvaluationLine[]> => {
  const answer = await send('GET', '/evaluation-set.jsonl', token, undefined, where)
  expect(answer.headers['content-disposition']).toContain('evaluation-set.jsonl')
  return answer.text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
}

test('a conversation is renamed by its own caller, and keeps its place in the list', async () => {
  const { thread_id: first } = await ask('What does the crane lift?', as.owner)
  const { thread_id: second } = await ask('Where is the crane?', as.owner)
  const renamed = await send('PATCH', `/threads/${first}`, as.owner, { title: '  The crane ' })
  expect(bodyOf<Thread>(renamed)).toMatchObject({ id: first, title: 'The crane', turn_count: 1 })
  const { data } = bodyOf<Page<Thread>>(await send('GET', '/threads', as.owner))
  expect(data.slice(0, 2).map(({ id, title }) => [id, title])).toEqual([
    [second, 'Where is the crane?'],
    [first, 'The crane'],
  ])
  expect((await send('PATCH', `/threads/${first}`, as.owner, { title: ' ' })).status).toBe(422)
  expect((await send('PATCH', `/threads/${first}`, as.viewer, { title: 'Mine' })).status).toBe(404)
})

describe('feedback', () => {
  test('is kept with the answer, changed, taken back, and gone with the conversation', async () => {
    const { thread_id: thread } = await ask('What does the slipway crane lift?', as.viewer)
    const place = `/threads/${thread}/turns/1/feedback`
    const kept = async (): Promise<Feedback | null | undefined> =>
      bodyOf<ThreadContent>(await send('GET', `/threads/${thread}`, as.viewer)).turns[0]?.feedback
    expect(await kept()).toBeNull()
    await send('PUT', place, as.viewer, { verdict: 'helped' })
    expect(await kept()).toMatchObject({ verdict: 'helped', note: '' })
    const changed = await send('PUT', place, as.viewer, { verdict: 'wrong', note: 'It is fourteen.' })
    expect(bodyOf<Feedback>(changed)).toEqual(await kept())
    expect(await kept()).toMatchObject({ verdict: 'wrong', note: 'It is fourteen.' })
    // Not even owners see or change what others say: they export it.
    expect((await send('PUT', place, as.owner, { verdict: 'helped' })).status).toBe(404)
    expect((await send('DELETE', place, as.owner)).status).toBe(404)
    expect(
      (await send('PUT', `/threads/${thread}/turns/2/feedback`, as.viewer, { verdict: 'wrong' })).status,
    ).toBe(404)
    expect((await send('DELETE', place, as.viewer)).status).toBe(204)
    expect(await kept()).toBeNull()
    expect((await send('DELETE', place, as.viewer)).status).toBe(404)
    await send('PUT', place, as.viewer, { verdict: 'helped' })
    expect((await send('DELETE', `/threads/${thread}`, as.viewer)).status).toBe(204)
    expect((await exported(as.viewer)).filter(({ id }) => id.includes(thread))).toEqual([])
  })
})

describe('saved evaluation questions', () => {
  const save = (token: string, query: string, more: object = {}) =>
    send('POST', '/evaluation-questions', token, { query, document_id: crane.document, ...more })
  const listed = async (token: string): Promise<EvaluationQuestion[]> =>
    bodyOf<Page<EvaluationQuestion>>(await send('GET', '/evaluation-questions', token)).data

  test('saving twice gives one; others do not see it, owners do', async () => {
    const saved = await save(as.viewer, 'crane tonnes', { chunk_id: crane.chunk })
    expect(saved.status).toBe(201)
    const question = bodyOf<EvaluationQuestion>(saved)
    expect(question).toMatchObject({
      query: 'crane tonnes',
      document_title: 'Yard',
      chunk_id: crane.chunk,
      own: true,
    })
    const again = await save(as.viewer, 'crane tonnes', { chunk_id: crane.chunk })
    expect(bodyOf<EvaluationQuestion>(again)).toEqual(question)
    expect(await listed(as.viewer)).toEqual([question])
    expect(await listed(as.owner)).toEqual([{ ...question, own: false }])
    const ofOwner = bodyOf<EvaluationQuestion>(await save(as.owner, 'boat hall'))
    expect((await listed(as.owner)).map(({ id }) => id)).toEqual([ofOwner.id, question.id])
    expect(await listed(as.viewer)).toEqual([question])
    expect((await send('DELETE', `/evaluation-questions/${ofOwner.id}`, as.viewer)).status).toBe(404)
    for (const { id } of [question, ofOwner])
      expect((await send('DELETE', `/evaluation-questions/${id}`, as.owner)).status).toBe(204)
  })

  test('a document or passage of no or another workspace cannot be saved', async () => {
    const elsewhere = await app.workspace(owner)
    const other = randomUUID()
    const [chunk] = await publish(app.deps.db, elsewhere, other, ['Elsewhere.'])
    for (const wrong of [{ document_id: other }, { document_id: randomUUID() }, { chunk_id: chunk }])
      expect((await save(as.owner, 'crane', wrong)).status).toBe(422)
  })
})

test('what is exported is read by kenning eval: for search, and for answers', async () => {
  const where = await app.workspace(owner)
  await app.member(where, viewer, 'viewer')
  const [yard, gone] = [randomUUID(), randomUUID()]
  const [chunk = ''] = await publish(app.deps.db, where, yard, [CRANE], 'Yard')
  await publish(app.deps.db, where, gone, ['The winter berth costs 4,180 crowns a season.'], 'Prices')
  const found = await send('POST', '/search', as.owner, { query: 'crane' }, where)
  expect(bodyOf<SearchResults>(found).data[0]?.id).toBe(chunk)
  const question = { query: 'crane tonnes', document_id: yard, chunk_id: chunk }
  await send('POST', '/evaluation-questions', as.viewer, question, where)
  const judge = async (text: string, verdict: string, thread: string | null = null) => {
    const answer = await ask(text, as.owner, thread, where)
    const { turn_count: turn } = bodyOf<Thread>(
      await send('GET', `/threads/${answer.thread_id}`, as.owner, undefined, where),
    )
    const place = `/threads/${answer.thread_id}/turns/${turn}/feedback`
    expect((await send('PUT', place, as.owner, { verdict, note: `${verdict}!` }, where)).status).toBe(200)
    return answer
  }
  const helped = await judge('What does the slipway crane lift?', 'helped')
  await judge('And where does it stand?', 'wrong', helped.thread_id)
  await judge('Who won the football championship in Kyoto?', 'helped')
  await judge('What does the winter berth cost a season?', 'helped')
  expect((await send('DELETE', `/documents/${gone}`, as.owner, undefined, where)).status).toBe(204)

  const lines = await exported(as.owner, where)
  expect(lines.map(({ text, documents, unjudged }) => [text, documents, unjudged]).sort()).toEqual(
    [
      ['crane tonnes', { [yard]: 1 }, undefined],
      ['What does the slipway crane lift?', { [yard]: 1 }, undefined],
      [expect.stringMatching(/^And where does it stand\? \(.*crane/), {}, true],
      ['Who won the football championship in Kyoto?', {}, undefined],
      ['What does the winter berth cost a season?', {}, true],
    ].sort(),
  )
  expect(JSON.stringify(lines)).not.toContain('4,180')
  expect(lines.find(({ source }) => source === 'saved')).toMatchObject({
    facts: ['The slipway crane lifts twelve tonnes.', 'It stands behind the boat hall.'],
    pages: [{ document: yard, page: 1 }],
  })
  // The viewer has saved one and judged none.
  expect((await exported(as.viewer, where)).map(({ text }) => text)).toEqual(['crane tonnes'])

  const path = join(folder, 'evaluation-set.jsonl')
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  const set = await readSet(path, false)
  expect(set).toMatchObject({ name: 'evaluation-set', documents: undefined, unjudged: 3 })
  expect(set.queries.map(({ text, grades }) => [text, grades.get(yard)]).sort()).toEqual([
    ['What does the slipway crane lift?', 1],
    ['crane tonnes', 1],
  ])
  const answers = await readQuestions(path, false)
  expect(
    answers.questions.map(({ text, documents, facts }) => [text, [...documents], facts.length]).sort(),
  ).toEqual([
    ['What does the slipway crane lift?', [yard], 2],
    ['Who won the football championship in Kyoto?', [], 0],
    ['crane tonnes', [yard], 2],
  ])
  await expect(readSet(path, true)).rejects.toThrow(/--workspace/)
})
