import { expect, test } from 'vitest'
import { termHash } from '../../index/weights.ts'
import { analyse } from '../../language/analyse.ts'
import { analysedText } from '../../language/analysed-text.ts'
import { phrasesOf } from './phrases.ts'
import { languagesOf, readQuery, withForeignTermsLowered } from './reading.ts'

const textsOf = (query: string): string[] => phrasesOf(analysedText(query)).map(({ text }) => text)

test('phrases are texts in quotation marks of any form, each once, at most eight', () => {
  expect(textsOf('the "Harbour  Notice" and “tide tables”')).toEqual(['harbour notice', 'tide tables'])
  expect(textsOf('"a lease" "a  Lease"')).toEqual(['a lease'])
  expect(textsOf(Array.from({ length: 300 }, (_, n) => `"p${n}"`).join(''))).toHaveLength(8)
  expect(textsOf('a 24" or 27" monitor')).toEqual([])
  expect(textsOf('"item 24" on the list')).toEqual(['item 24'])
})

test('a quotation within a long question is not required, one with few words around it is', () => {
  expect(textsOf('Which lease mentions "Ropewalk Yard"?')).toEqual(['ropewalk yard'])
  expect(textsOf('Did the report on "tide tables" and the one on "mooring fees" agree on the year?')).toEqual(
    [],
  )
})

test('a phrase has its words in every language that reads it differently, and none if it is only stop words', () => {
  const [phrase] = phrasesOf(analysedText('"mooring contracts"'))
  expect(phrase?.terms.length).toBeGreaterThan(1)
  expect(phrase?.terms.every((reading) => reading.length === 2)).toBe(true)
  expect(phrasesOf(analysedText('"to be"'))).toEqual([{ text: 'to be', terms: [] }])
  expect(phrasesOf(analysedText('"合"'))).toEqual([])
})

test.each([
  ['รถไฟฟ้า', 'ไฟฟ้า'],
  ['มหาวิทยาลัยแห่งนี้', 'วิทยาลัย'],
  ['ລົດໄຟຟ້າ', 'ໄຟຟ້າ'],
])('in %s a quoted part of a longer word is found: %s', (text, part) => {
  const [phrase] = phrasesOf(analysedText(`"${part}"`))
  const known = new Set(analyse(text, 'th').map(({ term }) => termHash(term)))
  expect(phrase?.terms.length).toBeGreaterThan(0)
  expect(phrase?.terms.flat().filter((term) => !known.has(term))).toEqual([])
})

test('a language of few chunks is used only for words that are unknown otherwise, or if the query is in it', () => {
  const spoken = [
    { language: 'en' as const, chunks: 1886, documents: 1886 },
    { language: 'de' as const, chunks: 4, documents: 2 },
  ]
  expect(languagesOf(analysedText('Who was the first president of the association?'), spoken)).toEqual({
    ownLanguage: 'en',
    suggestedLanguages: ['en'],
    mainLanguages: ['en'],
    rareLanguages: ['de'],
  })
  expect(languagesOf(analysedText('Wer war der erste Präsident der Vereinigung?'), spoken)).toEqual({
    ownLanguage: 'de',
    suggestedLanguages: ['de'],
    mainLanguages: ['en', 'de'],
    rareLanguages: [],
  })
  expect(
    languagesOf(analysedText('Kündigungsfristen'), [spoken[1] ?? { language: 'de', chunks: 1, documents: 1 }])
      .mainLanguages,
  ).toEqual(['de'])
  expect(languagesOf(analysedText('anything'), [])).toEqual({
    ownLanguage: 'en',
    suggestedLanguages: [],
    mainLanguages: ['en'],
    rareLanguages: [],
  })
})

test("terms that only other languages read weigh little, unless the query's own does not know the word", () => {
  const spoken = (['en', 'de'] as const).map((language) => ({ language, chunks: 100, documents: 10 }))
  const weightsOf = (query: string, known: readonly string[]): Record<string, number> => {
    const { weights, foreignTerms: others } = readQuery(analysedText(query), spoken)
    const terms = [...weights].map(([term, weight]) => ({ term, weight, df: known.includes(term) ? 3 : 0 }))
    return Object.fromEntries(
      withForeignTermsLowered(terms, others).map(({ term, weight }) => [term, weight]),
    )
  }
  const query = 'Where were the elections of the presidents?'
  expect(weightsOf(query, ['elect', 'presid', 'election', 'president'])).toMatchObject({
    elect: 1,
    presid: 1,
    election: 0.2,
    president: 0.2,
  })
  expect(weightsOf(query, ['elect', 'president'])).toMatchObject({ election: 0.2, president: 1 })
  // A name read unstemmed is no more than that, though German reads it as a word.
  expect(weightsOf('Who were the Presidents?', ['presid', 'presidents'])).toMatchObject({ presidents: 0.5 })
  // No stop word tells the language.
  expect(weightsOf('elections presidents', ['elect', 'presid'])).toMatchObject({ election: 1, president: 1 })
})

test('Vietnamese with its marks asks for no word without them, unless texts in other languages may have it', () => {
  const spoken = (vi: number) => [
    { language: 'en' as const, chunks: 100 - vi, documents: 9 },
    { language: 'vi' as const, chunks: vi, documents: 1 },
  ]
  const query = 'giá thuê của thuyền'
  const weightsIn = (...among: Parameters<typeof readQuery>[1]): unknown[] => {
    const { weights } = readQuery(analysedText(query), among)
    return [weights.get('giá'), weights.get('gia'), weights.get('thuyen')]
  }
  expect(weightsIn(...spoken(1))).toEqual([1, 1, 1])
  expect(weightsIn(...spoken(100).slice(1))).toEqual([1, 0, 0])
})

const inBoth = (['en', 'de'] as const).map((language) => ({ language, chunks: 500, documents: 50 }))

test('a stop word of a language with few chunks lowers no weight', () => {
  const [english] = inBoth
  const spoken = [...(english ? [english] : []), { language: 'de' as const, chunks: 5, documents: 1 }]
  expect([...readQuery(analysedText('wer elections'), spoken).foreignTerms.keys()]).toEqual([])
  expect(readQuery(analysedText('wer elections'), inBoth).foreignTerms.has('elect')).toBe(true)
})

test('a stop word that is a word of the main language does not suggest another language', () => {
  for (const query of ['war elections', 'die elections', 'man will want war'])
    expect(readQuery(analysedText(query), inBoth)).toMatchObject({
      foreignTerms: new Map(),
      compounds: { language: undefined },
    })
  expect(languagesOf(analysedText('war elections'), inBoth)).toMatchObject({
    ownLanguage: 'en',
    suggestedLanguages: [],
  })
  expect(languagesOf(analysedText('Wann war die Wahl?'), inBoth)).toMatchObject({
    ownLanguage: 'de',
    suggestedLanguages: ['de'],
  })
  // Beside words of its own a stop word speaks for a language that is spoken here.
  const [english] = inBoth
  for (const chunks of [100, 5])
    expect(
      languagesOf(analysedText('contrato con Osterby'), [
        ...(english ? [english] : []),
        { language: 'es', chunks, documents: 1 },
      ]),
    ).toMatchObject(
      chunks > 50
        ? { ownLanguage: 'es', suggestedLanguages: ['es'] }
        : { ownLanguage: 'en', suggestedLanguages: [] },
    )
  // Where most is German, it is German.
  expect(languagesOf(analysedText('war elections'), inBoth.toReversed())).toMatchObject({
    ownLanguage: 'de',
    suggestedLanguages: ['de'],
  })
})
