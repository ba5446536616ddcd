// Why a passage is among the results, in a sentence for people. Pure but for the texts.

import type { Output } from '../../../src/client/client.ts'
import { locale } from '../language/locale.ts'
import { plural, t } from '../language/text.tsx'
import { querySpans } from '../parts/spans.ts'

type Inspection = Output<'inspectSearch'>
type Hit = Inspection['data'][number]
type Term = Inspection['understood']['terms'][number]

const MAX_WORDS = 4

/** Such as: The passage has “notice” and “period” in its heading, and “lease” in its text. */
export function reasonOf({ legs, matched, indexed, shares }: Hit): string {
  const words = wordsOf(matched)
  const inHeading = words.filter((word) => querySpans(`${indexed.heading} ${indexed.title}`, word).length > 0)
  const inText = words.filter((word) => !inHeading.includes(word))
  if (inHeading.length > 0 && inText.length > 0)
    return t('The passage has {words} in its title or heading, and {others} in its text.', {
      words: listOf(inHeading),
      others: listOf(inText),
    })
  if (inHeading.length > 0)
    return t('The passage has {words} in its title or heading.', { words: listOf(inHeading) })
  if (inText.length > 0) return t('The passage has {words} in its text.', { words: listOf(inText) })
  const from = legs.second_hop?.from_rank
  if (from) return t('A name in result {rank} leads to this passage.', { rank: from })
  if (shares.meaning) return t('The passage has none of the words, but means something similar.')
  return t('A name in another passage leads to this passage.')
}

/** Which words of the passage stand for words that were typed: “hanbook” is meant by “handbook” in 4 passages. */
export const meantWords = ({ matched }: Hit): string[] =>
  distinctBy(matched.filter(isWord), ({ word, stands_for }) => `${stands_for} ${word}`).flatMap(
    ({ word, stands_for: typed, chunks }) =>
      word !== null && typed !== null
        ? [
            t('“{typed}” is meant by “{word}” in {passages}.', {
              typed,
              word,
              passages: plural(chunks, 'passage'),
            }),
          ]
        : [],
  )

/** What the passage lacks of the words that were searched: “Not in it: …”. Undefined if it has all of them. */
export function lackOf({ matched }: Hit, { understood }: Inspection): string | undefined {
  const matchedTerms = new Set(matched.map(({ term }) => term))
  const matchedWords = new Set(wordsOf(matched))
  const missing = understood.terms.filter(
    ({ term, origin, chunks }) => origin === 'typed' && chunks > 0 && !matchedTerms.has(term),
  )
  const words = wordsOf(missing).filter((word) => !matchedWords.has(word))
  return words.length > 0 ? t('Not in it: {words}.', { words: listOf(words) }) : undefined
}

/** The terms as people write them, each word once. Two neighbouring words are a term of their own, which says nothing more. */
export const wordsOf = (terms: readonly Term[]): string[] => [
  ...new Set(terms.filter(isWord).flatMap(({ word }) => word ?? [])),
]

const isWord = ({ term }: Term): boolean => !term.includes(' ')

/** The first item of each key. */
export const distinctBy = <Item>(items: readonly Item[], keyOf: (item: Item) => string): Item[] =>
  [...new Map(items.toReversed().map((item) => [keyOf(item), item])).values()].toReversed()

const listOf = (words: readonly string[]): string =>
  new Intl.ListFormat(locale).format(words.slice(0, MAX_WORDS).map((word) => t('“{word}”', { word })))
