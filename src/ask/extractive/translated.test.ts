import { expect, test } from 'vitest'
import type { Language } from '../../language/language.ts'
import type { Passage } from '../../search/passage.ts'
import { questionKeywords } from './keywords.ts'
import { translatedPassages } from './translated.ts'

const passageOf = (text: string, language: Language): Passage => ({
  chunk_id: text,
  document_id: text,
  document_title: 'Minutes',
  chunk_no: 0,
  type: 'text',
  text,
  heading: '',
  page: null,
  language,
  score: 1,
})

const german = 'Beschluss: Entwurf A wird umgesetzt. Am Spielplatz Mühlwiese werden drei Bäume gepflanzt.'

async function near(text: string, passages: Passage[], least = 0): Promise<string[] | undefined> {
  const keywords = questionKeywords({ text, language: 'en' }, { terms: [], chunks: 100 })
  const found = await translatedPassages(
    {
      search: async () => passages,
      termStatistics: async (words) => ({
        terms: `${typeof words === 'string' ? words : words.text}`
          .split(' ')
          .map((term) => ({ term, df: 1, idf: 1 })),
        corrections: new Map(),
        chunks: 100,
        languages: ['de'],
      }),
    },
    { language: 'en', writtenNames: ['Mühlwiese'] },
    { keywords, least },
  )
  return found?.map(({ units }) => units.map((unit) => unit.text).join(' '))
}

test('a question finds the passage in another language that says what it asks', async () => {
  const question = 'How many trees are planted at the Mühlwiese playground?'
  expect(await near(question, [passageOf(german, 'de')])).toEqual([german])
})

test('a passage in its own language, or with less than is said there, is not shown', async () => {
  const question = 'How many trees are planted at the Mühlwiese playground?'
  expect(await near(question, [passageOf('The trees of the playground.', 'en')])).toBeUndefined()
  expect(await near(question, [passageOf(german, 'de')], 0.99)).toBeUndefined()
})

test('a passage that has only the name is not near', async () => {
  const question = 'How many trees are planted at the Mühlwiese playground?'
  expect(await near(question, [passageOf('Die Mühlwiese liegt in Wellenbrück.', 'de')])).toBeUndefined()
})
