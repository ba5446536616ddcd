// A document whose title says less than its file name is asked about by the words of the file name.

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Answer } from '../../src/contract/resources.ts'
import { bodyOf, type TestApp } from '../support/app.ts'
import { askLibrary } from '../support/ask-library.ts'

const files = {
  'flood.md':
    '# Report of 3 March\n\nThe cellar was under water from six in the morning. The cause was a blocked gutter. Two pumps were hired from Tarn Tools. The carpet of the archive was thrown away.\n',
  'ferry-accident.txt':
    'Minutes of 8 June\n\nThe vessel touched the pier at low speed. The captain was Ruth Alder. Nobody was hurt. The repairs take nine days.\n',
  'stromausfall.md':
    '# Bericht vom 12. Mai\n\nDie Anlage stand von neun bis elf Uhr still. Die Ursache war ein durchtrenntes Kabel. Die Werkstatt hat es ersetzt.\n',
  'panne-du-four.md':
    '# Compte rendu du 2 avril\n\nLa boulangerie a fermé pendant deux jours. La cause était une résistance brûlée. Le dépanneur vient de Vannes.\n',
  'canteen.md': '# Canteen\n\nLunch is from noon to two. The cook is Pavel Horn.\n',
}

let app: TestApp
let token: string
let workspace: string

beforeAll(async () => {
  ;({ app, token, workspace } = await askLibrary('names', files))
})
afterAll(() => app.close())

const answerTo = async (question: string): Promise<string> =>
  bodyOf<Answer>(await app.send('POST', `/v1/workspaces/${workspace}/ask`, token, { body: { question } }))
    .answer

test.each([
  ['What was the cause of the flood?', 'a blocked gutter'],
  ['Who was the captain in the ferry accident?', 'Ruth Alder'],
  ['Was war die Ursache des Stromausfalls?', 'ein durchtrenntes Kabel'],
  ['Quelle était la cause de la panne du four ?', 'une résistance brûlée'],
])('%s', async (question, answer) => {
  expect(await answerTo(question)).toContain(answer)
})

test('the file name alone answers nothing', async () => {
  expect(await answerTo('Who was the mayor during the flood?')).toMatch(/did not find this|may not answer/)
})
