// Finds statements of fact that a model left without a citation. Each gets the passage that supports it, or a note that no
// passage does. Pure.

import { contentTerms } from '../../language/analyse.ts'
import { guessLanguage } from '../../language/guess.ts'
import type { Language } from '../../language/language.ts'
import { type Sentence, sentences } from '../../language/sentences.ts'
import { words } from '../../language/words.ts'
import type { Passage } from '../../search/passage.ts'
import { type AnswerLanguage, answerLanguage } from '../answer-language.ts'
import { passageText } from '../passage.ts'
import { figureChecker } from './figures.ts'
import { type Block, blocksOf, findMarkers, type MarkerGroup, type Span } from './markers.ts'
import type { Draft } from './repair.ts'
import type { SupportChecker } from './support.ts'

// The share of a statement's content terms that a passage must contain to be cited for it.
const CITED_SHARE = 0.6
// A passage cited later in the same paragraph covers an earlier statement that shares this much with it.
const COVERED_SHARE = 0.3
const STATEMENT_TERMS = 4
// A sentence with a figure needs fewer terms to be a statement: "The rent is £99."
const FIGURE_TERMS = 2

const FLAGS: Record<AnswerLanguage, string> = {
  en: 'not in the passages found',
  de: 'ohne Beleg in den Dokumenten',
  fr: 'sans source dans les documents',
  es: 'sin respaldo en los documentos',
}
const FLAGGED = new RegExp(`\\((?:${Object.values(FLAGS).join('|')})\\)`)
// Sentences about the search itself are not statements of fact.
const ABOUT_THE_SEARCH =
  /\b(?:documents?|passages?|sources?|excerpts?|information|Dokumente?n?|Unterlagen|Textstellen|Quellen|extraits|documentos?|pasajes|fuentes)\b/i

/** The draft with citations and notes added; newly cited passages are numbered after those already cited. */
export function citeUncited(
  { text, cited, unsupported: unsupportedStatements }: Draft,
  passages: readonly Passage[],
  checker: SupportChecker,
  otherSources: readonly string[],
): { draft: Draft; unsupported: number } {
  const candidates = [...cited, ...passages.filter((passage) => !cited.includes(passage))]
  const groups = findMarkers(text)
  const language = guessLanguage(text)
  const flag = ` (${FLAGS[answerLanguage(text)]})`
  const hasKnownFigures = figureChecker([...candidates.map(passageText), ...otherSources])
  let unsupported = 0
  const added: { at: number; text: string }[] = []
  for (const block of blocksOf(text).filter(({ type }) => type === 'paragraph')) {
    for (const statement of uncitedSentences(text, block, groups)) {
      if (!isStatement(statement.text, language)) continue
      const statementEnd = statement.start + endOf(statement.text)
      if (block.opaque.some((span) => isInside(statementEnd, span) || covers(span, statement))) continue
      const passage = bestSource(statement.text, candidates, checker)
      if (passage) added.push({ at: statementEnd, text: ` [${candidates.indexOf(passage) + 1}]` })
      else if (
        (unsupportedStatements.some((claim) => claim !== '' && statement.text.includes(claim)) ||
          namesSomething(statement.text, language)) &&
        !isCovered(statement, { block, groups, candidates }, checker)
      ) {
        added.push({ at: statementEnd, text: flag })
        unsupported++
      }
    }
    // The figures of a cited sentence are checked too, because they may be wrong.
    for (const { sentence, end } of citedSentences(text, block, groups)) {
      if (hasKnownFigures(sentence) || FLAGGED.test(sentence)) continue
      added.push({ at: end, text: flag })
      unsupported++
    }
  }
  added.sort((a, b) => a.at - b.at)
  const completed = added.reduceRight(
    (all, { at, text: more }) => `${all.slice(0, at)}${more}${all.slice(at)}`,
    text,
  )
  return {
    draft: { text: completed, cited: candidates, statements: new Map(), unsupported: [] },
    unsupported,
  }
}

const isInside = (at: number, { start, end }: Span): boolean => start < at && at < end
const covers = (outer: Span, { start, end }: Span): boolean => outer.start <= start && end <= outer.end

/** The block's sentences without a marker in or right after them; table rows are not sentences. */
function uncitedSentences(text: string, block: Block, groups: readonly MarkerGroup[]): Sentence[] {
  const allSentences = sentences(text.slice(block.start, block.end)).map((sentence) => ({
    text: sentence.text,
    start: block.start + sentence.start,
    end: block.start + sentence.end,
  }))
  return allSentences.filter(
    ({ text: sentence, start, end }) =>
      !sentence.startsWith('|') &&
      !groups.some(
        (group) => group.end > start && (group.start < end || !text.slice(end, group.start).trim()),
      ),
  )
}

/** The sentence before each of the block's markers; `end` is after the marker. */
function citedSentences(
  text: string,
  block: Block,
  groups: readonly MarkerGroup[],
): { sentence: string; end: number }[] {
  const groupsInBlock = groups.filter(({ start, end }) => start >= block.start && end <= block.end)
  return groupsInBlock.map(({ start, end }, i) => {
    const before = sentences(text.slice(groupsInBlock[i - 1]?.end ?? block.start, start))
    return { sentence: before.at(-1)?.text ?? '', end }
  })
}

const isStatement = (sentence: string, language: Language): boolean =>
  !/[:?]["'”’»)*_]*$/.test(sentence) &&
  !FLAGGED.test(sentence) &&
  !ABOUT_THE_SEARCH.test(sentence) &&
  new Set(contentTerms(sentence, language)).size >= (/\d{2}/.test(sentence) ? FIGURE_TERMS : STATEMENT_TERMS)

/** Whether it has a number, a code, or a capitalised word that does not start it (German capitalises every noun). */
const namesSomething = (sentence: string, language: Language): boolean =>
  [...words(sentence)].some(
    ({ raw, start }) =>
      /\p{N}/u.test(raw) ||
      (start > 2 && (language === 'de' ? /^\p{Lu}.*\p{Lu}/u : /^\p{Lu}/u).test(raw) && raw !== 'I'),
  )

function bestSource(
  sentence: string,
  candidates: readonly Passage[],
  checker: SupportChecker,
): Passage | undefined {
  let best: { passage: Passage; share: number } | undefined
  for (const passage of candidates) {
    if (checker.isCalculatedFrom(sentence, passage)) return passage
    const { share } = checker.overlap(sentence, passage)
    if (share >= CITED_SHARE && share > (best?.share ?? 0) && checker.containsNumbers(sentence, passage))
      best = { passage, share }
  }
  return best?.passage
}

const isCovered = (
  statement: Sentence,
  {
    block,
    groups,
    candidates,
  }: { block: Block; groups: readonly MarkerGroup[]; candidates: readonly Passage[] },
  checker: SupportChecker,
): boolean =>
  groups
    .filter(({ start, end }) => start >= statement.end && end <= block.end)
    .flatMap(({ numbers }) => numbers.flatMap((number) => candidates[number - 1] ?? []))
    .some(
      (passage) =>
        checker.overlap(statement.text, passage).share >= COVERED_SHARE &&
        checker.containsNumbers(statement.text, passage),
    )

/** Where a marker is inserted: before the sentence's final punctuation. */
const endOf = (sentence: string): number =>
  sentence.replace(/[\p{Sentence_Terminal}…]*["'”’»)*_]*$/u, '').trimEnd().length
