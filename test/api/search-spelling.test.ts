// Which words of a workspace are considered as corrections: fewer than all with the same beginning or end, without losing any.

import fc from 'fast-check'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { queryWeights } from '../../src/index/weights.ts'
import { analyse } from '../../src/language/analyse.ts'
import { analysedText } from '../../src/language/analysed-text.ts'
import { isWord } from '../../src/language/dictionary.ts'
import { stem } from '../../src/language/stem.ts'
import { fold } from '../../src/language/words.ts'
import type { Db } from '../../src/ports/db/db.ts'
import { openDb } from '../../src/ports/db/postgres.ts'
import { findCorrections, unknownWords } from '../../src/search/query/mistyped.ts'
import { selectSimilarWords } from '../../src/search/query/query.sql.ts'
import { boundsOf, isCorrectable, type KnownWord, spellingGuesses } from '../../src/search/query/spelling.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { runs } from '../support/full.ts'
import { bareWorkspace } from '../support/publish.ts'

let database: TestDatabase
let db: Db
beforeAll(async () => {
  database = await testDatabase()
  db = openDb(database.connection)
})
afterAll(async () => {
  await db.close()
  await database.close()
})

// Few letters, so that many words are near each other; double ones, and what stemmers write otherwise at the end.
const PARTS = 'ca ca tti ssi ber rry hop car mo ra ll e i pp ion at ab il é ß ö'.split(' ')
const ENDINGS =
  ' s ed ing er ers y ies ied ation ational ibility ability izer ency ly ness en heit eux'.split(' ')
const written = fc
  .tuple(fc.array(fc.constantFrom(...PARTS), { minLength: 2, maxLength: 4 }), fc.constantFrom(...ENDINGS))
  .map(([parts, ending]) => parts.join('') + ending)
const BEYOND_16_BITS = '𐐨𐐩𐐪𐐨𐐫 𐐨𐐩𐐪𐐨𐐬 𐐨𐐩𐐨𐐪𐐫 𐐨𐐪𐐩𐐨𐐫𐐫'.split(' ')

const edit = fc.tuple(fc.nat(), fc.nat(3), fc.constantFrom(...'aceilorty'))
/** A letter left out, added, replaced, or swapped with the next. */
const mistype = (word: string, [place, kind, letter]: [number, number, string]): string => {
  const letters = [...word]
  const at = place % letters.length
  const [here = '', next = ''] = letters.slice(at, at + 2)
  const others = [[next], [letter, here, next], [letter, next], [next, here]][kind] ?? []
  return [...letters.slice(0, at), ...others, ...letters.slice(at + 2)].join('')
}

test.each(['en', 'de', 'fr', 'xx'] as const)('no correction is lost, as language %s', async (language) => {
  const known = [...fc.sample(written, { seed: 7, numRuns: 300 }), ...BEYOND_16_BITS, 'a'.repeat(40)]
  const words = [...new Set(known.map(fold).flatMap((word) => [word, stem(word, language)]))]
  const id = await bareWorkspace(db)
  await db.rows(sql`
    INSERT INTO term_stat (workspace_id, term, word, df)
    SELECT ${id}, n, word, 1 + n % 7 FROM unnest(${words}::text[]) WITH ORDINALITY AS w (word, n)`)
  const edits = fc.sample(fc.array(edit, { minLength: 1, maxLength: 3 }), { seed: 8, numRuns: known.length })
  const typed = known
    .map((word, i) => (edits[i] ?? []).reduce(mistype, word))
    .filter((raw) => isCorrectable(raw))
  const wanted = typed.map((raw) => boundsOf(raw, language))
  const looked = await selectSimilarWords(db, id, wanted)
  const all = words.map((word, i): KnownWord => ({ word, df: 1 + ((i + 1) % 7) }))

  let [alike, taken] = [0, 0]
  for (const [at, raw] of typed.entries()) {
    const { start = '', end = '' } = wanted[at] ?? {}
    const similar = all.filter(
      ({ word }) => [...word].length >= 3 && (word.startsWith(start) || word.endsWith(end)),
    )
    const found = looked.filter((word) => word.at === at)
    const accepted = similar.filter((word) => spellingGuesses(raw, language, [word]).length > 0)
    expect(found.map(({ word }) => word)).toEqual(expect.arrayContaining(accepted.map(({ word }) => word)))
    if (language === 'en')
      expect(spellingGuesses(raw, language, found)).toEqual(spellingGuesses(raw, language, similar))
    alike += similar.length
    taken += accepted.length
  }
  expect(taken).toBeGreaterThan(typed.length / 2)
  expect(looked.length).toBeLessThan(alike / 2)
})

test('a query of nothing but mistyped words asks for no more than a few hundred terms, all likely words among them', async () => {
  const typed = [...'bcdfghjklmnprstv'].map((first) => `${first}abolux`)
  const meant = typed.flatMap((word) => [...'bdfgk'].map((last) => word.slice(0, -1) + last))
  const id = await bareWorkspace(db)
  await db.rows(sql`
    INSERT INTO term_stat (workspace_id, term, word, df)
    SELECT ${id}, n, word, 9 FROM unnest(${meant}::text[]) WITH ORDINALITY AS w (word, n)`)
  // Every word beside every other.
  const query = typed
    .flatMap((one) => typed.flatMap((other) => [one, other]))
    .join(' ')
    .slice(0, 2000)
  const terms = [...queryWeights(analysedText(query), ['xx'])].map(([term, weight]) => ({
    term,
    weight,
    df: 0,
    idf: 1,
  }))
  const unknown = unknownWords(analysedText(query), ['xx'], terms)
  expect(unknown).toHaveLength(typed.length)

  const corrections = await findCorrections(db, id, { unknown, terms, languages: ['xx'] })
  expect([...corrections.terms.keys()]).toEqual(expect.arrayContaining(meant))
  expect(corrections.terms.size).toBeLessThan(500)
})

// Words as texts write them: names, accents, ligatures, joints, apostrophes, possessives, codes, figures, other scripts.
const letters = fc.array(fc.constantFrom(...'abeiorstzéäßñﬁøиκ'), { minLength: 3, maxLength: 9 })
const bare = letters.map((parts) => parts.join(''))
const inText = fc.oneof(
  bare,
  bare.map((word) => word.charAt(0).toUpperCase() + word.slice(1)),
  bare.map((word) => word.toUpperCase()),
  written,
  fc
    .tuple(bare, fc.constantFrom('-', '‐', '/', '.', '’', "'", '_', '&', '+'), bare)
    .map((parts) => parts.join('')),
  fc.tuple(bare, fc.constantFrom("'s", '’s', 's’', 'ies', '2', '-17', '٣')).map((parts) => parts.join('')),
  fc.constantFrom(
    '管理報告',
    'mRNA',
    'α-tocopherol',
    'colour',
    'organised',
    'the',
    'war',
    'die',
    'will',
    'nach',
    'eine',
    'mais',
    'pour',
    '10,000',
  ),
)

test.each([['en'], ['de'], ['fr'], ['xx'], ['ru', 'en'], ['de', 'fr'], ['en', 'de', 'es']] as const)(
  'no word that stands in a text is taken for another: texts in %s, queries in %s too',
  (...languages) => {
    const [written] = languages
    fc.assert(
      fc.property(fc.array(inText, { minLength: 1, maxLength: 8 }), fc.boolean(), (parts, isTurned) => {
        const held = new Set(analyse(parts.join(' '), written).map(({ term }) => term))
        const query = (isTurned ? parts.toReversed() : parts).join(' ')
        const terms = [...queryWeights(analysedText(query), languages)].map(([term, weight]) => {
          const df = held.has(term) ? 1 : 0
          return { term, weight, df, idf: 1 }
        })
        const unknown = unknownWords(analysedText(query), languages, terms)
        expect(unknown.filter((raw) => !isWord(raw, languages))).toEqual([])
      }),
      { numRuns: runs(150) },
    )
  },
)
