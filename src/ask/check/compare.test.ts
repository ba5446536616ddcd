import { expect, test } from 'vitest'
import { contentTerms } from '../../language/analyse.ts'
import type { Language } from '../../language/language.ts'
import type { Passage } from '../../search/passage.ts'
import { evidenceIn } from '../extractive/evidence.ts'
import { claimOf } from './claim.ts'
import { judge } from './compare.ts'

/** What one text of a document says of a claim: the verdict of its best piece. */
function verdictOn(
  claimText: string,
  text: string,
  title = 'Handbook',
  language: Language = 'en',
  claimLanguage = language,
): string {
  const passage: Passage = {
    chunk_id: 'c',
    document_id: 'd',
    document_title: title,
    document_path: 'a.md',
    chunk_no: 1,
    type: 'text',
    text,
    heading: '',
    page: null,
    language,
    score: 1,
  }
  const known = [...new Set(contentTerms(`${title} ${text}`, language))]
  const terms = known.map((term) => ({ term, df: 2, idf: 2 }))
  const claim = claimOf(claimText, claimLanguage, { terms, chunks: 20 })
  const verdicts = evidenceIn([{ passage, relevance: 1, rank: 0 }]).map(
    (piece) => judge(claim, piece).verdict,
  )
  return ['supported', 'contradicted'].find((verdict) => verdicts.includes(verdict as never)) ?? 'none'
}

const ROLES = 'Ann Sorel heads the sales office, Bob Merrit runs the repair workshop.'

test.each([
  ['The working week has 36 hours.', 'The working week has 36 hours.', 'supported'],
  ['The working week has 38 hours.', 'The working week has 36 hours.', 'contradicted'],
  [
    'The surplus rose by 11.9 %.',
    'Revenue rose by 11.9 % to £1,284, the surplus by 60 % to £96.',
    'contradicted',
  ],
  ['Bob Merrit runs the repair workshop.', ROLES, 'supported'],
  ['Ann Sorel runs the repair workshop.', ROLES, 'contradicted'],
  ['The tenant may sublet the flat.', 'The tenant may not sublet the flat.', 'contradicted'],
  ['The tenant must paint the walls.', 'The tenant need not paint the walls.', 'contradicted'],
  ['The flat may be sublet without consent.', 'The flat may be sublet with written consent.', 'none'],
  ['All gauges are checked in the workshop.', 'Gauges are checked in the workshop.', 'none'],
  ['Trainees get free lunches.', 'Trainees get free lunches if they work on Saturdays.', 'none'],
  ['The factory sells umbrellas.', 'The working week has 36 hours.', 'none'],
])('%s against: %s', (claim, text, verdict) => {
  expect(verdictOn(claim, text)).toBe(verdict)
})

test.each([
  ['Die Arbeitswoche hat 36 Stunden.', 'The working week has 36 hours.', 'supported'],
  ['Die Arbeitswoche hat 38 Stunden.', 'The working week has 36 hours.', 'contradicted'],
  ['Die Arbeitswoche hat 36 Stunden.', 'The working day has 36 hours.', 'none'],
  ['Die Arbeitswoche hat 36 Stunden.', 'The opening week has 36 hours.', 'none'],
  ['Die Arbeitswoche hat 36 Stunden.', 'The working group of the new harbour has 36 hours a week.', 'none'],
])('a compound is said by words for all of its parts: %s against: %s', (claim, text, verdict) => {
  expect(verdictOn(claim, text, 'Handbook', 'en', 'de')).toBe(verdict)
})

test('the words for the parts of a compound may have another one between them', () => {
  const text = 'La semaine normale de travail a 36 heures.'
  expect(verdictOn('Die Arbeitswoche hat 36 Stunden.', text, 'Handbook', 'fr', 'de')).toBe('supported')
})

test.each([
  ['en', 'Pets and smoking are allowed.', 'Neither pets nor smoking are allowed.', 'contradicted'],
  ['en', 'Neither pets nor smoking are allowed.', 'Neither pets nor smoking are allowed.', 'supported'],
  ['es', 'Se admite mascota.', 'No se admite ninguna mascota.', 'contradicted'],
  ['de', 'Hunde und Katzen sind erlaubt.', 'Weder Hunde noch Katzen sind erlaubt.', 'contradicted'],
  ['fr', 'Les chiens et les chats sont admis.', 'Ni les chiens ni les chats sont admis.', 'contradicted'],
  ['en', 'The cellar is not locked.', 'It is not true that the cellar is not locked.', 'none'],
] as const)('a denial in several words is one (%s): %s against: %s', (language, claim, text, verdict) => {
  expect(verdictOn(claim, text, 'Handbook', language)).toBe(verdict)
})

test.each([
  ['Tenants must paint the walls every spring.', 'Tenants may paint the walls every spring.'],
  ['The rent is due before the delivery.', 'The rent is due after the delivery.'],
  ['Open fires are allowed in the garden.', 'Open fires are prohibited in the garden.'],
  ['Open fires are not allowed in the garden.', 'Open fires are prohibited in the garden.'],
])('most of the words are not enough where one of the others turns it: %s against: %s', (claim, text) => {
  expect(verdictOn(claim, text)).toBe('none')
})

test.each([
  ['Tenants must leave the flat.', 'Tenants who do not pay on time must leave the flat.', 'none'],
  ['Tenants must not leave the flat.', 'Tenants who do not pay on time must leave the flat.', 'none'],
  [
    'Tenants who do not pay on time must leave the flat.',
    'Tenants who do not pay on time must leave the flat.',
    'supported',
  ],
])('a clause within the sentence denies nothing but itself: %s against: %s', (claim, text, verdict) => {
  expect(verdictOn(claim, text)).toBe(verdict)
})

const TABLE = `| Model | Range | Overload limit | Price |
| --- | --- | --- | --- |
| TG-5 | 0 to 5 m | 15 m | 1,480.00 |
| TG-9 | 0 to 9 m | 30 m | 1,560.00 |`

test.each([
  ['The TG-5 has an overload limit of 15 m.', 'supported'],
  ['The TG-5 has an overload limit of 30 m.', 'contradicted'],
  ['The price of the TG-9 is £1,560.', 'supported'],
  ['The price of the TG-7 is £1,560.', 'none'],
])('a row says it of its own cells: %s', (claim, verdict) => {
  expect(verdictOn(claim, TABLE, 'Models')).toBe(verdict)
})
