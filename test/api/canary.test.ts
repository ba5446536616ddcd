// Two workspaces about the same subjects, each with unique words in texts, titles, headings, names, folders, scopes and
// questions. Whatever one owner requests, with the other's ids in every parameter, none of the other's words may appear in a
// response or in a log. KENNING_CANARY=10000 sets the number of requests.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { type EndpointId, endpoints } from '../../src/contract/endpoints.ts'
import { drawIndex, type Random, seededRandom } from '../../src/eval/measure/random.ts'
import { openPool, type ParserPool } from '../../src/reader/pool.ts'
import { type Person, type TestApp, testApp } from '../support/app.ts'
import { fill } from '../support/filled.ts'
import { holdings } from '../support/holdings.sql.ts'
import { type Contents, pathOf, validBody } from '../support/world.ts'

const ROUNDS = Number(process.env.KENNING_CANARY ?? 150)
const SEED = 7

let app: TestApp
let pool: ParserPool
/** Words that stand in this one's workspace and nowhere else, and how it is asked there. */
interface Side {
  word: string
  owner: Person
  token: string
  contents: Contents
}
let left: Side
let right: Side

beforeAll(async () => {
  app = await testApp({ askPerHour: 1_000_000 })
  pool = openPool({ size: 1, cacheDir: app.deps.settings.dataDir, log: app.deps.log })
  left = await makeSide('Xanthochroid')
  right = await makeSide('Quillwort')
})
afterAll(async () => {
  await pool.close()
  await app.close()
})

async function makeSide(word: string): Promise<Side> {
  const owner = await app.person()
  const token = await app.token(owner)
  const contents = await fill(app, pool, owner, documentsWith(word))
  const here = `/v1/workspaces/${contents.workspace_id}`
  app.log.neverSay(word)
  for (const [method, path, body] of [
    ['PATCH', '', { name: `The ${word} papers`, description: `All about ${word}.` }],
    ['PUT', `/scopes/${word}`, { description: word, folders: [word] }],
    ['POST', '/ask', { question: `Who runs ${word} Shipping?` }],
    ['POST', '/ask', { question: 'Where is the harbour?', thread_id: contents.thread_id }],
  ] as const) {
    const answer = await app.send(method, `${here}${path}`, token, { body })
    expect(answer.status, path).toBeLessThan(300)
  }
  return { word, owner, token, contents }
}

const documentsWith = (word: string) => [
  {
    name: `${word}/harbour.md`,
    text: `# Harbour of ${word}\n\nIngrid Solheim runs ${word} Shipping. The pump of the harbour is called ${word}-7.\n`,
  },
  {
    name: `${word}/rules.md`,
    text: `# Rules\n\n## Berths\n\n${word} Shipping pays the fee of 12 euros. Ingrid Solheim wrote the ${word} rules.\n`,
  },
  { name: `pumps-${word}.csv`, text: `pump,owner\nharbour pump,${word} Shipping\nBW-2,Ingrid ${word}\n` },
]

// Of these every question is made; the canaries are never said by who asks.
const TOPICS = [
  'harbour',
  'pump',
  'Ingrid Solheim',
  'Shipping',
  'rules',
  'fee',
  'berths',
  'BW-2',
  'owner',
  'euros',
]
const FORMS = [
  (topic: string) => topic,
  (topic: string) => `Who runs the ${topic}?`,
  (topic: string) => `"${topic}"`,
  (topic: string) => `What is ${topic} called, and who owns it?`,
  (topic: string) => `${topic} ${topic}s ${topic.slice(0, -1)}`,
  (topic: string) => `How many ${topic} are there?`,
]

const pick = <T>(random: Random, from: readonly T[]): T => {
  const chosen = from[drawIndex(random, from.length)]
  if (chosen === undefined) throw new Error('nothing to draw from')
  return chosen
}

/** Ids of one's own workspace, each replaced by the other's now and then. */
function mixed(random: Random, own: Contents, other: Contents): Contents {
  const ids = Object.entries(own).map(([name, id]) => [
    name,
    random() < 0.3 ? other[name as keyof Contents] : id,
  ])
  return Object.fromEntries(ids) as Contents
}

const reads = (Object.keys(endpoints) as EndpointId[]).filter(
  (id) => endpoints[id].method === 'GET' && id !== 'jobEvents',
)

interface Asked {
  method: string
  url: string
  body?: object
}

function draw(random: Random, { contents: own }: Side, { contents: other }: Side): Asked {
  const ids = random() < 0.8 ? own : mixed(random, own, other)
  const here = `/v1/workspaces/${ids.workspace_id}`
  const said = pick(random, FORMS)(pick(random, TOPICS))
  const kind = random()
  if (kind < 0.4) {
    const filter = pick(random, [
      {},
      {},
      { entity_ids: [other.entity_id] },
      { scope: other.scope_name },
      { scope: 'kind:md' },
    ])
    return { method: 'POST', url: `${here}/search`, body: { query: said, ...filter } }
  }
  if (kind < 0.7) {
    const thread = pick(random, [null, null, own.thread_id, other.thread_id])
    return {
      method: 'POST',
      url: `${here}/ask`,
      body: { question: said, thread_id: thread, stream: random() < 0.3 },
    }
  }
  if (kind < 0.8) {
    const q = encodeURIComponent(pick(random, TOPICS))
    return { method: 'GET', url: `${here}/${pick(random, ['entities', 'documents'])}?q=${q}` }
  }
  const id = pick(random, reads)
  return { method: 'GET', url: pathOf(id, mixed(random, own, other)) }
}

test('no text of another workspace is in any response', async () => {
  const random = seededRandom(SEED)
  const before = [await holdings(app.deps.db, left.contents.workspace_id)]
  let [answered, own] = [0, 0]
  for (let round = 0; round < ROUNDS; round++) {
    const [asker, other] = round % 2 === 0 ? [left, right] : [right, left]
    const asked = draw(random, asker, other)
    const answer = await app.server.inject({
      method: asked.method as 'GET',
      url: asked.url,
      headers: { authorization: `Bearer ${asker.token}`, 'content-type': 'application/json' },
      ...(asked.body ? { payload: JSON.stringify(asked.body) } : {}),
    })
    const where = `${asked.method} ${asked.url} ${JSON.stringify(asked.body)}`
    expect(answer.statusCode, where).toBeLessThan(500)
    const everything = `${JSON.stringify(answer.headers)}${answer.body}`
    if (new RegExp(other.word, 'i').test(everything)) throw new Error(`${where}: ${everything.slice(0, 500)}`)
    if (answer.statusCode === 200) answered++
    if (answer.body.includes(asker.word)) own++
  }
  // The canaries sing for their own: most answers hold one.
  expect(answered).toBeGreaterThan(ROUNDS * 0.5)
  expect(own).toBeGreaterThan(ROUNDS * 0.4)
  expect([await holdings(app.deps.db, left.contents.workspace_id)]).toEqual(before)
}, 3_600_000)

test('ids of another workspace change nothing there, in any parameter of any endpoint', async () => {
  const before = await holdings(app.deps.db, right.contents.workspace_id)
  for (const id of Object.keys(endpoints) as EndpointId[]) {
    const names = [...endpoints[id].path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as keyof Contents)
    for (const name of names) {
      const ids = { ...left.contents, [name]: right.contents[name] }
      if (name === 'page' || name === 'turn_number' || name === 'user_id') continue
      const answer = await app.send(endpoints[id].method, pathOf(id, ids), left.token, validBody(id))
      expect(answer.text, `${id} ${name}`).not.toContain(right.word)
    }
  }
  expect(await holdings(app.deps.db, right.contents.workspace_id)).toEqual(before)
})
