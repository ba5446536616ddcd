// How far a statement and a passage of another language say the same, where nobody is there to translate: words that are
// written alike in both (Material, Materialien), words of business documents that mean the same, and stems in either
// language. Pure.

import { contentTerms } from '../../language/analyse.ts'
import type { Language } from '../../language/language.ts'
import { fold, withoutAccents, words } from '../../language/words.ts'
import type { Passage } from '../../search/passage.ts'
import { sameMeaning } from '../extractive/speech/concepts.ts'

// Every word is compared with every word: so many take 4 ms.
const MOST_WORDS = 60
const MOST_SPOKEN = 600
// "Helm" in helmet and Schutzhelm: so many letters in a row, and so much of the shorter word.
const ALIKE_LETTERS = 4
const ALIKE_SHARE = 0.6

/** Tells for a statement in `language` the share of its words of content that the passage holds in its own. */
export function acrossLanguages(language: Language, passage: Passage): (statement: string) => number {
  const text = `${passage.document_title}\n${passage.heading}\n${passage.text}`
  const stems = new Set([...contentTerms(text, passage.language), ...contentTerms(text, language)])
  const letters = new Set([...words(text)].map(({ raw }) => lettersOf(raw)))
  const spoken = [...letters].filter(({ length }) => length >= ALIKE_LETTERS).slice(0, MOST_SPOKEN)
  const holds = (word: string): boolean =>
    [word, ...sameMeaning(word)].some((other) =>
      contentTerms(other, passage.language).some((term) => stems.has(term)),
    ) || spoken.some((other) => areAlike(lettersOf(word), other))
  return (statement) => {
    const own = [...words(statement)]
      .map(({ raw }) => raw)
      .filter((raw) => contentTerms(raw, language).length > 0)
    const asked = own.slice(0, MOST_WORDS)
    return asked.filter(holds).length / (asked.length || 1)
  }
}

const lettersOf = (word: string): string => withoutAccents(fold(word))

function areAlike(a: string, b: string): boolean {
  const shorter = Math.min(a.length, b.length)
  const wanted = Math.max(ALIKE_LETTERS, Math.ceil(shorter * ALIKE_SHARE))
  for (let at = 0; at + wanted <= a.length; at++) if (b.includes(a.slice(at, at + wanted))) return true
  return false
}
