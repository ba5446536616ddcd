// Questions for numbers over tables of an office: columns of yes and no, ranges, rows of totals, units, and two tables that
// may be meant. Each answer is right, or names the tables that may be meant, or states no number; none is wrong.

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Answer } from '../../src/contract/resources.ts'
import { bodyOf, type TestApp } from '../support/app.ts'
import { askLibrary } from '../support/ask-library.ts'
import { files, QUESTIONS, SEVERAL, STATED } from '../support/office-tables.ts'

let app: TestApp
let token: string
let workspace: string

beforeAll(async () => {
  ;({ app, token, workspace } = await askLibrary('office', files))
})
afterAll(() => app.close())

async function ask(question: string): Promise<string> {
  const { answer, citations } = bodyOf<Answer>(
    await app.send('POST', `/v1/workspaces/${workspace}/ask`, token, { body: { question } }),
  )
  const shown = [...answer.matchAll(/(?<!\\)\[(\d+)\]/g)].map((match) => Number(match[1]))
  expect([...new Set(shown)].sort(), question).toEqual(citations.map((_, i) => i + 1))
  return answer
}

test(`${QUESTIONS.length} questions for numbers over ${Object.keys(files).length} files`, async () => {
  const wrong: string[] = []
  let [right, silent] = [0, 0]
  for (const [question, gold] of QUESTIONS) {
    const answer = await ask(question)
    const line = answer.split('\n')[0] ?? ''
    if (gold === 'tables' ? SEVERAL.test(line) : gold === 'none' ? !STATED.test(line) : gold.test(line))
      right++
    else if (STATED.test(line)) wrong.push(`${question}\n${answer}`)
    else {
      silent++
      console.info(`${question}\n${answer.slice(0, 300)}`)
    }
  }
  console.info(`${right} of ${QUESTIONS.length} answers are right, ${silent} state less than they could`)
  expect(wrong.join('\n\n')).toBe('')
  expect(right).toBeGreaterThanOrEqual(Math.ceil(0.9 * QUESTIONS.length))
})

test('no row for another amount is quoted', async () => {
  expect(await ask('What does a letter of 4 kg cost?')).toMatch(/over 2 to 5 kg · Price: 6\.50/)
  for (const question of ['What does a letter of 4 kg cost?', 'What does a parcel of 40 kg cost?'])
    expect(await ask(question)).not.toMatch(/up to 2 kg|5 to 10 kg|10 to 30 kg/)
})

test.each([
  [
    'How many boats at the North pier are heated?',
    'heated',
    '3 of 5 rows',
    ['Gannet', 'Dunlin', 'Curlew'],
    'Plover',
  ],
  [
    'Wie viele Geräte in Halle 1 sind laut?',
    'laut',
    '2 von 4 Zeilen',
    ['Bohrmaschine', 'Schleifer'],
    'Hobel',
  ],
  [
    "Combien d'adhérents de Dole sont retraités ?",
    'retraités',
    '3 lignes sur 4',
    ['Luc Perrin', 'Nina Caron'],
    'Vial',
  ],
  ['¿Cuántos pedidos de Casa Lerma son urgentes?', 'urgentes', '2 de 5 filas', ['P-1', 'P-3'], 'P-2'],
])('%s: no number, but the rows that meet what is certain', async (question, open, count, rows, other) => {
  const answer = await ask(question)
  expect(answer).not.toMatch(STATED)
  for (const said of [open, count, ...rows]) expect(answer).toContain(said)
  expect(answer).toMatch(/^\*\*[^*]+\[1\]\*\* — /m)
  expect(answer).not.toContain(other)
})

test('One row is not quoted as the answer where others are like it', async () => {
  expect(await ask('How many litres did the volunteers of Varn carry?')).not.toMatch(/^The documents say/)
  const rows = (await ask('Which deep wells are in Varn?')).match(/Basalt|Dolomite/g)
  expect(new Set(rows).size).not.toBe(1)
})
