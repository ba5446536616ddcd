// Which evidence is right for a question of a set whose answers are known. Pure.

import type { Evidence } from '../../src/ask/extractive/evidence.ts'
import { contentTerms } from '../../src/language/analyse.ts'
import { shareHeld } from '../unseen/reference.ts'
import type { Asked } from './sets.ts'

const remembered = <Value>(make: (text: string) => Value): ((text: string) => Value) => {
  const known = new Map<string, Value>()
  return (text) => {
    const value = known.get(text) ?? make(text)
    known.set(text, value)
    return value
  }
}

const plain = remembered(
  (text) =>
    ` ${text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim()} `,
)
const termsOf = remembered((text) => new Set(contentTerms(text, 'en')))

// Of a reference's key words this share, of a sentence that supports an answer that share of its words.
const WORDS_HELD = 0.25
const FACT_HELD = 0.7

/** Whether it holds the answer, or a figure of it, or one of the sentences that support it. */
export function holdsAnswer(
  { answers, facts, pages, reference }: Asked,
  { text, foundPassage: { passage } }: Evidence,
  document: string,
): boolean {
  if (pages.length && !pages.some((one) => one.document === document && one.page === passage.page))
    return false
  if (reference) {
    const share = shareHeld({ kind: reference.kind, wanted: new Set(reference.wanted) }, text)
    return reference.kind === 'figures' ? share > 0 : share >= WORDS_HELD
  }
  if (facts.length) {
    const own = termsOf(text)
    return facts.some((fact) => {
      const wanted = [...termsOf(fact)]
      return wanted.filter((term) => own.has(term)).length >= FACT_HELD * wanted.length
    })
  }
  if (pages.length && answers.length === 0) return true
  return saysAnswer({ answers }, text)
}

export function saysAnswer({ answers }: Pick<Asked, 'answers'>, text: string): boolean {
  const said = plain(text.replaceAll(',', ''))
  return answers.some((answer) => said.includes(plain(answer.replaceAll(',', ''))))
}
