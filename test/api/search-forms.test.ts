// POST /search for what people write in other forms than its texts: codes in groups, units, plurals, emoji, stop words.

import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Person, type TestApp, testApp } from '../support/app.ts'
import { pages, putDocument, settle } from '../support/put.sql.ts'

let app: TestApp
let id: string
let token: string
beforeAll(async () => {
  app = await testApp()
  const owner: Person = await app.person()
  token = await app.token(owner)
  id = await app.workspace(owner)
  const put = (chunks: readonly string[], more: { language?: 'de' | 'fr' | 'es' } = {}) =>
    putDocument(app.deps.db, id, randomUUID(), pages(chunks), more)
  await put([
    'The fee goes to DK50 0040 0440 1162 43 at the harbour bank.',
    'The workshop answers under +49 (0)30 / 555 44-12 until noon.',
    'The yard is certified by ISO 14001:2015 and the hoist by EN13155.',
    'The manual is ISBN 978-0-306-40615-7 and explains the winch.',
    'A sack of cement has 25kg, a bucket of paint 5 kg.',
    'The wolves left the valley, and the matrices of the hypotheses fill two pages.',
    'The regatta 🚤 starts on Friday, with cake 🎂.',
    'All that is, was; and what was, will be, said the clerk of the ferry.',
  ])
  await put(['Die Risiken der Themen stehen im Anhang, den die Museen lesen.'], { language: 'de' })
  await put(['Les baux des locaux sont signés, les travaux sont finis.'], { language: 'fr' })
  await put(
    [
      'Las voces del puerto y las luces de los barcos.',
      'Los barcos salen cada mañana.',
      'El faro no tiene guarda.',
    ],
    { language: 'es' },
  )
  await settle(app.deps.db, id)
})
afterAll(async () => {
  await app.close()
})

const first = async (query: string): Promise<string> => {
  const { body } = await app.send('POST', `/v1/workspaces/${id}/search`, token, { body: { query } })
  return (body as { data: { text: string }[] }).data[0]?.text ?? ''
}

test.each([
  ['DK5000400440116243', 'The fee'],
  ['dk50 0040 0440 1162 43', 'The fee'],
  ['030 5554412', 'The workshop'],
  ['+49305554412', 'The workshop'],
  ['ISO14001', 'The yard'],
  ['EN 13155', 'The yard'],
  ['9780306406157', 'The manual'],
  ['25 kg', 'A sack'],
  ['5kg', 'A sack'],
  ['wolf', 'The wolves'],
  ['matrix hypothesis', 'The wolves'],
  ['Risiko Museum', 'Die Risiken'],
  ['bail', 'Les baux'],
  ['travail', 'Les baux'],
  ['voz', 'Las voces'],
  ['🎂', 'The regatta'],
  ['what was will be', 'All that is'],
  ['WHAT WAS WILL BE', 'All that is'],
  ['"what was will be"', 'All that is'],
  ['"what was will be" helmsman', 'All that is'],
])('%s finds %s', async (query, start) => {
  expect(await first(query)).toContain(start)
})
