// A question with an adjective of measure is answered from a data sheet that has the noun of the quantity.

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Answer } from '../../src/contract/resources.ts'
import { bodyOf, type TestApp } from '../support/app.ts'
import { askLibrary } from '../support/ask-library.ts'

const sheet = (name: string, rows: Record<string, string>): string =>
  `# ${name}\n\n| Property | Value |\n|---|---|\n${Object.entries(rows)
    .map(([property, value]) => `| ${property} | ${value} |`)
    .join('\n')}\n`

const files = {
  'k20.md': sheet('Data sheet K20 compressor', {
    Weight: '31 kg',
    'Noise level': '68 dB',
    Price: '900 euros',
  }),
  'k40.md': sheet('Data sheet K40 compressor', {
    Weight: '44 kg',
    'Noise level': '74 dB',
    Price: '1,250 euros',
  }),
  'canteen.md': '# Canteen\n\nLunch is from noon to two. The cook is Pavel Horn.\n',
  'b7.md': sheet('Datenblatt Bohrer B7', { Gewicht: '2,1 kg', Drehzahl: '900 U/min' }),
  'b9.md': sheet('Datenblatt Bohrer B9', { Gewicht: '3,4 kg', Drehzahl: '750 U/min' }),
}

let app: TestApp
let token: string
let workspace: string

beforeAll(async () => {
  ;({ app, token, workspace } = await askLibrary('sheets', files))
})
afterAll(() => app.close())

const answerTo = async (question: string): Promise<string> =>
  bodyOf<Answer>(await app.send('POST', `/v1/workspaces/${workspace}/ask`, token, { body: { question } }))
    .answer

test.each([
  ['Which compressor is louder, the K20 or the K40?', ['68 dB', '74 dB']],
  ['Is the K20 quieter than the K40?', ['68 dB', '74 dB']],
  ['Welcher Bohrer ist schwerer, der B7 oder der B9?', ['2,1 kg', '3,4 kg']],
  ['How loud is the K20?', ['68 dB']],
])('%s', async (question, values) => {
  const answer = await answerTo(question)
  for (const value of values) expect(answer).toContain(value)
})

test('a quantity that no sheet has is not stated', async () => {
  expect(await answerTo('Which compressor is faster, the K20 or the K40?')).toMatch(
    /did not find this|may not answer/,
  )
})
