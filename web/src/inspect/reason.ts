// Why a passage is among the results, in a sentence for people. Pure but for the texts.

import type { Output } from '../../../src/client/client.ts'
import { locale } from '../language/locale.ts'
import { t } from '../language/text.tsx'

type Inspection = Output<'inspectSearch'>
type Hit = Inspection['data'][number]

const MAX_WORDS = 4

/** Such as: The passage has “notice” and “period” in its heading, and “lease” in its text. */
export function reasonOf({ legs, matched, indexed, shares }: Hit, inspection: Inspection): string {
  const terms = matched.map(({ term }) => term).filter(isWord)
  const inHeading = terms.filter((term) => wordLike(term, `${indexed.heading} ${indexed.title}`))
  const inText = terms.filter((term) => !inHeading.includes(term))
  const wordList = (some: readonly string[]): string =>
    listOf(some.map((term) => wordFor(term, inspection, indexed)))
  if (inHeading.length > 0 && inText.length > 0)
    return t('The passage has {words} in its title or heading, and {others} in its text.', {
      words: wordList(inHeading),
      others: wordList(inText),
    })
  if (inHeading.length > 0)
    return t('The passage has {words} in its title or heading.', { words: wordList(inHeading) })
  if (inText.length > 0) return t('The passage has {words} in its text.', { words: wordList(inText) })
  const from = legs.second_hop?.from_rank
  if (from) return t('A name in result {rank} leads to this passage.', { rank: from })
  if (shares.meaning) return t('The passage has none of the words, but means something similar.')
  return t('A name in another passage leads to this passage.')
}

/** What the passage lacks of the words that were searched: “Not in it: …”. Undefined if it has all of them. */
export function lackOf({ matched }: Hit, inspection: Inspection): string | undefined {
  const matchedTerms = new Set(matched.map(({ term }) => term))
  const missing = inspection.understood.terms.filter(
    ({ term, origin, chunks }) => origin === 'typed' && chunks > 0 && !matchedTerms.has(term) && isWord(term),
  )
  const words = missing
    .map(({ term }) => wordLike(term, inspection.query))
    .filter((word) => word !== undefined)
  return words.length > 0 ? t('Not in it: {words}.', { words: listOf(words) }) : undefined
}

/** The words of a term as people write them: of the query, else of the passage, else the stems. */
export const wordFor = (
  term: string,
  { query }: Pick<Inspection, 'query'>,
  { heading, title, text }: Pick<Hit['indexed'], 'heading' | 'title' | 'text'>,
): string =>
  term
    .split(' ')
    .map((stem) => wordLike(stem, query) ?? wordLike(stem, `${heading} ${title} ${text}`) ?? stem)
    .join(' ')

/** Two neighbouring words are a term of their own, which says nothing more. */
const isWord = (term: string): boolean => !term.includes(' ')

const listOf = (words: readonly string[]): string =>
  new Intl.ListFormat(locale).format(
    [...new Set(words)].slice(0, MAX_WORDS).map((word) => t('“{word}”', { word })),
  )

const MAX_ENDING = 4

/** The first word of the text that has the stem: "notice" for "notic", "policies" for "polici", "policy" for "polici". */
function wordLike(stem: string, text: string): string | undefined {
  // Stems end in i where words end in y or ies.
  const beginning = stem.replace(/i$/, '')
  const words = text
    .split(/[^\p{L}\p{M}\p{N}'’-]+/u)
    .filter(
      (word) =>
        word.toLowerCase().startsWith(beginning) &&
        word.length >= stem.length &&
        word.length - stem.length <= MAX_ENDING,
    )
  return words.sort((a, b) => a.length - b.length)[0]
}
