// Statements of fact that a model left without a marker: each gets the passage that bears it out, or a flag that none
// does, so that a reader never takes them for cited. Pure.

import { contentTerms } from '../../language/analyse.ts'
import { guessLanguage } from '../../language/guess.ts'
import type { Language } from '../../language/language.ts'
import { type Sentence, sentences } from '../../language/sentences.ts'
import { words } from '../../language/words.ts'
import type { Passage } from '../../search/passage.ts'
import { type Tongue, tongueOf } from '../answer-language.ts'
import { figureCheck } from './figures.ts'
import { type Block, blocksOf, findMarkers, type MarkerGroup, type Span } from './markers.ts'
import type { Draft } from './repair.ts'
import type { Judge } from './support.ts'

// The share of a statement's content terms a passage must hold to be cited for it unasked.
const CITED_SHARE = 0.6
// A passage cited further on in the paragraph speaks for a statement before it that shares this much.
const COVERED_SHARE = 0.3
const STATEMENT_TERMS = 4
// "The rent is £99." has fewer, and a figure.
const FIGURE_TERMS = 2

const FLAGS: Record<Tongue, string> = {
  en: 'not in the passages found',
  de: 'ohne Beleg in den Dokumenten',
  fr: 'sans source dans les documents',
  es: 'sin respaldo en los documentos',
}
const FLAGGED = new RegExp(`\\((?:${Object.values(FLAGS).join('|')})\\)`)
// What an answer says about its own search is no statement of the documents.
const ABOUT_THE_SEARCH =
  /\b(?:documents?|passages?|sources?|excerpts?|information|Dokumente?n?|Unterlagen|Textstellen|Quellen|extraits|documentos?|pasajes|fuentes)\b/i

/** The draft with what was missing; the passages cited anew stand behind those it cited. */
export function complete(
  { text, cited, lost }: Draft,
  seen: readonly Passage[],
  judge: Judge,
  besides: readonly string[],
): { draft: Draft; unsupported: number } {
  const known = [...cited, ...seen.filter((passage) => !cited.includes(passage))]
  const groups = findMarkers(text)
  const language = guessLanguage(text)
  const flag = ` (${FLAGS[tongueOf(text)]})`
  const stands = figureCheck([...known.map(sayings), ...besides])
  let unsupported = 0
  const added: { at: number; text: string }[] = []
  for (const block of blocksOf(text).filter(({ type }) => type === 'paragraph')) {
    for (const statement of unmarked(text, block, groups)) {
      if (!isStatement(statement.text, language)) continue
      const at = statement.start + endOf(statement.text)
      if (block.closed.some((span) => isInside(at, span) || covers(span, statement))) continue
      const passage = best(statement.text, known, judge)
      if (passage) added.push({ at, text: ` [${known.indexOf(passage) + 1}]` })
      else if (
        (lost.some((said) => said !== '' && statement.text.includes(said)) ||
          statesFact(statement.text, language)) &&
        !isCovered(statement, block, groups, known, judge)
      ) {
        added.push({ at, text: flag })
        unsupported++
      }
    }
    // A marker stands behind many words and may still be wrong about the one that matters.
    for (const { said, end } of marked(text, block, groups)) {
      if (stands(said) || FLAGGED.test(said)) continue
      added.push({ at: end, text: flag })
      unsupported++
    }
  }
  added.sort((a, b) => a.at - b.at)
  const completed = added.reduceRight(
    (all, { at, text: more }) => `${all.slice(0, at)}${more}${all.slice(at)}`,
    text,
  )
  return { draft: { text: completed, cited: known, statements: new Map(), lost: [] }, unsupported }
}

const isInside = (at: number, { start, end }: Span): boolean => start < at && at < end
const covers = (outer: Span, { start, end }: Span): boolean => outer.start <= start && end <= outer.end

/** The block's sentences without a marker in them or right behind them; rows of tables are not sentences. */
function unmarked(text: string, block: Block, groups: readonly MarkerGroup[]): Sentence[] {
  const all = sentences(text.slice(block.start, block.end)).map((sentence) => ({
    text: sentence.text,
    start: block.start + sentence.start,
    end: block.start + sentence.end,
  }))
  return all.filter(
    ({ text: said, start, end }) =>
      !said.startsWith('|') &&
      !groups.some(
        (group) => group.end > start && (group.start < end || !text.slice(end, group.start).trim()),
      ),
  )
}

const sayings = ({ document_title, heading, text }: Passage): string =>
  `${document_title}\n${heading}\n${text}`

/** The sentence before each of the block's markers; `end` is behind the marker. */
function marked(text: string, block: Block, groups: readonly MarkerGroup[]): { said: string; end: number }[] {
  const own = groups.filter(({ start, end }) => start >= block.start && end <= block.end)
  return own.map(({ start, end }, i) => {
    const before = sentences(text.slice(own[i - 1]?.end ?? block.start, start))
    return { said: before.at(-1)?.text ?? '', end }
  })
}

const isStatement = (said: string, language: Language): boolean =>
  !/[:?]["'”’»)*_]*$/.test(said) &&
  !FLAGGED.test(said) &&
  !ABOUT_THE_SEARCH.test(said) &&
  new Set(contentTerms(said, language)).size >= (/\d{2}/.test(said) ? FIGURE_TERMS : STATEMENT_TERMS)

/** It names something: a number, a code, or a capitalised word that does not open it (in German every noun is one). */
const statesFact = (said: string, language: Language): boolean =>
  [...words(said)].some(
    ({ raw, start }) =>
      /\p{N}/u.test(raw) ||
      (start > 2 && (language === 'de' ? /^\p{Lu}.*\p{Lu}/u : /^\p{Lu}/u).test(raw) && raw !== 'I'),
  )

function best(said: string, known: readonly Passage[], judge: Judge): Passage | undefined {
  let found: { passage: Passage; share: number } | undefined
  for (const passage of known) {
    if (judge.calculated(said, passage)) return passage
    const { share } = judge.overlap(said, passage)
    if (share >= CITED_SHARE && share > (found?.share ?? 0) && judge.holdsNumbers(said, passage))
      found = { passage, share }
  }
  return found?.passage
}

const isCovered = (
  statement: Sentence,
  block: Block,
  groups: readonly MarkerGroup[],
  known: readonly Passage[],
  judge: Judge,
): boolean =>
  groups
    .filter(({ start, end }) => start >= statement.end && end <= block.end)
    .flatMap(({ numbers }) => numbers.flatMap((number) => known[number - 1] ?? []))
    .some(
      (passage) =>
        judge.overlap(statement.text, passage).share >= COVERED_SHARE &&
        judge.holdsNumbers(statement.text, passage),
    )

/** Where a marker goes: before what ends the sentence. */
const endOf = (said: string): number =>
  said.replace(/[\p{Sentence_Terminal}…]*["'”’»)*_]*$/u, '').trimEnd().length
