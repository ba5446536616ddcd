// Questions in other words than the documents, asked of the real app with the sentence model of the package: the passage that
// answers is shown as near, and questions that the documents do not answer stay refused.

import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Answer } from '../../src/contract/resources.ts'
import { embedRound } from '../../src/embed/round.ts'
import { type EmbeddingModel, SENTENCE_MODEL } from '../../src/ports/embedder/embedder.ts'
import { vectorsIn } from '../../src/ports/embedder/model-thread.ts'
import { openSentenceModel } from '../../src/ports/embedder/sentence/embed-texts.ts'
import { bodyOf, type TestApp, testApp } from '../support/app.ts'
import { publish } from '../support/publish.ts'

let app: TestApp
let token: string
let workspace: string

/** The model without its thread. */
function sentenceModel(): EmbeddingModel {
  const embedTexts = openSentenceModel()
  return {
    id: SENTENCE_MODEL,
    batch: 16,
    languages: ['en'],
    dimensions: () => Promise.resolve(embedTexts(['one'], 'passage').dimensions),
    embed: (texts, as) => Promise.resolve(vectorsIn(embedTexts(texts, as))),
  }
}

const PARAGRAPHS = [
  'The six machines in the gym can be used from 06:30 to 22:00. Juniors need an adult in the room.',
  'Club colours are worn in races: dark green with a white stripe. Bring a second set of clothes in the cold months.',
  'Passwords belong in the password safe, never in a mail. Data of customers stay on our own server.',
  'Bicycles go under the roof next to gate 1, not in the stairwell. Motorcycles may use the hatched area beside bay 14.',
  'Defective battery packs go into the sand box at once, then outdoors. Nobody works alone with lithium batteries.',
  'Overtime is written down the same week and taken as free time within three months.',
  'Visitors may stay for up to four hours. They get a ticket from reception and put it behind the windscreen.',
  'Flights are in economy class. Flights for distances under 700 km are not allowed.',
]

beforeAll(async () => {
  app = await testApp({ askPerHour: 1000 })
  const model = sentenceModel()
  Object.assign(app.deps, { embedder: async () => ({ kind: 'builtin', model, find: () => model }) })
  const person = await app.person()
  token = await app.token(person)
  workspace = await app.workspace(person)
  for (const [i, text] of PARAGRAPHS.entries())
    await publish(app.deps.db, workspace, randomUUID(), [text], `Rules, part ${i + 1}`)
  const limits = { signal: new AbortController().signal, until: Number.POSITIVE_INFINITY }
  expect(await embedRound(app.deps, workspace, limits)).toBe('done')
})
afterAll(() => app.close())

const ask = async (question: string): Promise<Answer> =>
  bodyOf<Answer>(await app.send('POST', `/v1/workspaces/${workspace}/ask`, token, { body: { question } }))

test.each([
  ['Was gilt für Flüge unter 700 km Entfernung?', 'under 700 km are not allowed'],
  ['Combien de temps les visiteurs peuvent-ils rester ?', 'Visitors may stay for up to four hours'],
])('%s is given the English passage that says it', async (question, quote) => {
  const { answer, citations } = await ask(question)
  expect(answer).toMatch(
    /^(?:Ich zitiere, was die Dokumente sagen|Am nächsten kommen diese Stellen|Les passages les plus proches sont) ?:/,
  )
  expect(citations.some(({ text }) => text.includes(quote))).toBe(true)
})

test('what no passage says in another language either stays refused', async () => {
  const { citations } = await ask('Wann wurde die erste Brücke über den Fluss gebaut?')
  expect(citations).toEqual([])
})

test.each([
  ['Can I store my mountain bike in the stairway?', 'Bicycles go under the roof next to gate 1'],
  ['Are short plane trips permitted?', 'under 700 km are not allowed'],
])('%s is shown the passage that means it, as near', async (question, quote) => {
  const { answer, citations } = await ask(question)
  expect(answer).toMatch(
    /^The closest passages are:[\s\S]*\n\nThe documents may not answer this directly\.[^\n]*$/,
  )
  expect(answer).toContain(quote)
  expect(citations.some(({ text }) => text.includes(quote))).toBe(true)
})

test.each([
  'What are cilia used for?',
  'Who provided a philosophical discussion of force?',
  'What is the password of Zorvath?',
])('%s stays refused', async (question) => {
  const { answer, citations } = await ask(question)
  expect(answer).toMatch(/^I did not find this/)
  expect(citations).toEqual([])
})

test('several of a code that stands on cover pages are known, however many other passages are nearer', async () => {
  const person = await app.person()
  const own = await app.workspace(person)
  const ownToken = await app.token(person)
  for (let i = 1; i <= 24; i++)
    await publish(
      app.deps.db,
      own,
      randomUUID(),
      [
        'FORM 10-Q. Pursuant to section 13 of the act. Commission file number, zip code, telephone.',
        `Gross margin of Ardent in period ${i} was ${30 + i} percent of sales. The gross margin reported for Ardent rose.`,
      ],
      `Period ${i}`,
    )
  const body = { question: 'What gross margin of Ardent do these 10-Qs report?' }
  const { answer, citations } = bodyOf<Answer>(
    await app.send('POST', `/v1/workspaces/${own}/ask`, ownToken, { body }),
  )
  expect(answer).not.toContain('do not mention')
  expect(citations.some(({ text }) => text.includes('Gross margin of Ardent'))).toBe(true)
})

test('a code that only the title of a document has is known', async () => {
  const person = await app.person()
  const own = await app.workspace(person)
  const text = 'The pump weighs 41 kg with its base. The cable is 5 m long.'
  await publish(app.deps.db, own, randomUUID(), [text], 'Manual of the pump HX-410')
  const body = { question: 'How much does the pump HX-410 weigh?' }
  const { answer } = bodyOf<Answer>(
    await app.send('POST', `/v1/workspaces/${own}/ask`, await app.token(person), { body }),
  )
  expect(answer).not.toContain('do not mention')
  expect(answer).toContain('41 kg')
})
