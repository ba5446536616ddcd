// How people write the terms of a text: terms are stems ("notic"), and readers are shown words ("notice").

import { analyse } from '../language/analyse.ts'
import type { Language } from '../language/language.ts'
import { piecesOf } from '../language/unspaced.ts'
import { words } from '../language/words.ts'

export type WrittenTerms = (term: string) => string | undefined

/** A function that returns how the text writes a term. Undefined if it does not have the term. */
export function writtenTerms(text: string, languages: readonly Language[]): WrittenTerms {
  const wordByTerm = new Map<string, string>()
  const add = (raw: string): void => {
    for (const language of languages)
      for (const { term } of analyse(raw, language)) if (!wordByTerm.has(term)) wordByTerm.set(term, raw)
  }
  for (const { raw } of words(text)) {
    // Of "fast-twitch" the term "twitch" is written as its part, and "fasttwitch" as the whole.
    for (const part of raw.split(/[-‐_./'’+#&@]+/u)) add(part)
    add(raw)
    // In scripts without spaces a pair of characters is a term, and is written as it is.
    for (const piece of piecesOf(raw))
      if (piece.kind !== 'word')
        for (const language of languages)
          for (const { term } of analyse(piece.raw, language)) wordByTerm.set(term, term)
  }
  return (term) => {
    const parts = term
      .split(' ')
      .map((part) => wordByTerm.get(part) ?? (/\p{L}/u.test(part) ? undefined : part))
    return parts.includes(undefined) ? undefined : parts.join(' ')
  }
}
