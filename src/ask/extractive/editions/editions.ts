// Chooses among the editions of the documents found: only those that the question asks for are searched. Passages of other editions
// are set aside. They are used if nothing else answers, and to show what an earlier edition states.

import { contentTerms } from '../../../language/analyse.ts'
import { fold, words } from '../../../language/words.ts'
import type { Passage } from '../../../search/passage.ts'
import type { NamedDocument, StepReport, Tools } from '../../tools/tools.ts'
import type { FoundPassage } from '../evidence.ts'
import type { Question } from '../question.ts'
import { marksInName } from './marks.ts'
import { type Choice, choose, type EditionRequest, editionRequest, type Span } from './request.ts'
import { type Series, seriesAmong } from './series.ts'

/** A question, or a statement to be checked, with the passages found for it so far. */
export interface QuestionWithPassages {
  question: Pick<Question, 'text' | 'language' | 'isComparison'>
  foundPassages: Map<string, FoundPassage>
}

/** A series with those of its editions that the question asks for. */
export interface ChosenEditions {
  series: Series
  choice: Choice
}

export interface EditionSelection {
  /** All series among the documents that were found. */
  series: Series[]
  /** The titles and beginnings of the documents that were found. */
  describedDocuments: NamedDocument[]
  choices: ChosenEditions[]
  /** The passages found in editions that the question does not ask for, by the ids of their chunks. */
  passagesSetAside: ReadonlyMap<string, FoundPassage>
  /** The ids of all documents that are editions which the question does not ask for. */
  excludedDocuments: ReadonlySet<string>
  /** The parts of the question that ask for an edition. A text need not contain them. */
  spans: Span[]
}

// Editions are looked up for this many documents: those of the best passages.
const MAX_DOCUMENTS = 6
const SEARCH_LIMIT = 8
const MIN_NAME_LENGTH = 3

/**
 * Chooses the editions that the question asks for, and replaces the passages of other editions in `state` by theirs.
 * @param query the text that was searched for; @param today `2026-11-29`
 */
export async function* chooseEditions(
  tools: Pick<Tools, 'search' | 'describeDocuments' | 'outOfTime'>,
  state: QuestionWithPassages,
  { query, today }: { query: string; today: string },
): AsyncGenerator<StepReport, EditionSelection> {
  const request = editionRequest(state.question.text, state.question.language, today)
  const describedDocuments = await describeFound(tools, state)
  const texts = [...state.foundPassages.values()].map(({ passage }) => passage.text)
  const series = seriesAmong(describedDocuments, today)
  const choices = series.flatMap((oneSeries): ChosenEditions[] => {
    const choice = choose(oneSeries, request, texts)
    return choice ? [{ series: oneSeries, choice }] : []
  })
  const excludedDocuments = new Set(choices.flatMap(excludedOf))
  const passagesSetAside = new Map(
    [...state.foundPassages].filter(([, { passage }]) => excludedDocuments.has(passage.document_id)),
  )
  for (const id of passagesSetAside.keys()) state.foundPassages.delete(id)
  const replacedPassages = [...passagesSetAside.values()]
  const documentsToSearch = choices
    .filter((choice) =>
      replacedPassages.some(({ passage }) => excludedOf(choice).includes(passage.document_id)),
    )
    .flatMap(({ choice }) => choice.editions.map(({ documentId }) => documentId))
  if (documentsToSearch.length > 0 && !tools.outOfTime()) {
    const passages = await tools.search(query, SEARCH_LIMIT, { documents: documentsToSearch })
    addReplacements(state, passages, replacedPassages)
    yield {
      type: 'search',
      label: 'Searching the edition that is asked for',
      query: state.question.text,
      result_count: passages.length,
    }
  }
  return {
    series,
    describedDocuments,
    choices,
    passagesSetAside,
    excludedDocuments,
    spans: spansOf(request, choices, state),
  }
}

/** The ids of the documents of a series that are not chosen. */
const excludedOf = ({ series, choice }: ChosenEditions): string[] =>
  series.editions.filter((edition) => !choice.editions.includes(edition)).map(({ documentId }) => documentId)

/** The documents of the best passages, and the documents with similar names. */
async function describeFound(
  tools: Pick<Tools, 'describeDocuments'>,
  { foundPassages }: QuestionWithPassages,
): Promise<NamedDocument[]> {
  const bestPassages = [...foundPassages.values()].sort((a, b) => b.relevance - a.relevance)
  const titles = new Map(
    bestPassages.map(({ passage: { document_id, document_title } }) => [document_id, document_title]),
  )
  const firstTitles = [...titles].slice(0, MAX_DOCUMENTS)
  const beginnings = firstTitles.map(([, title]) => nameBeginning(title))
  return tools.describeDocuments(
    firstTitles.map(([id]) => id),
    [...new Set(beginnings)].filter((name) => name.length >= MIN_NAME_LENGTH),
  )
}

/** The words of a title before the first word that marks the edition: "Travel policy" of "Travel policy 2025". */
function nameBeginning(title: string): string {
  const [nameInTitle = ''] = title.split(' – ')
  const titleWords = [...nameInTitle.matchAll(/[\p{L}\p{N}.]+/gu)]
  const firstMark = titleWords.find(({ 0: word, index }) => {
    const marks = marksInName(nameInTitle.slice(0, index + word.length))
    return marks.period !== undefined || marks.number !== undefined || marks.state !== 'released'
  })
  const end = firstMark?.index ?? nameInTitle.length
  return nameInTitle.slice(0, end).replace(/[^\p{L}\p{N}]+(?:version|edition|v|ed|rev)?[^\p{L}\p{N}]*$/iu, '')
}

/** Adds passages. The best of them gets the highest relevance and the best rank of the passages that they replace. */
function addReplacements(
  state: QuestionWithPassages,
  passages: readonly Passage[],
  replacedPassages: readonly FoundPassage[],
): void {
  const bestRelevance = Math.max(...replacedPassages.map(({ relevance }) => relevance))
  const bestRank = Math.min(...replacedPassages.map(({ rank }) => rank))
  const bestScore = passages[0]?.score ?? 1
  for (const [i, passage] of passages.entries()) {
    const replacement = {
      passage,
      relevance: (bestRelevance * passage.score) / bestScore,
      rank: bestRank + i,
    }
    const existing = state.foundPassages.get(passage.chunk_id)
    if (!existing || existing.relevance < replacement.relevance)
      state.foundPassages.set(passage.chunk_id, {
        ...replacement,
        rank: Math.min(replacement.rank, existing?.rank ?? replacement.rank),
      })
  }
}

/**
 * The spans of the question that a text need not contain. A word such as "current" is left out if a passage contains it together
 * with the word beside it, also where the choices contain its span.
 */
function spansOf(
  request: EditionRequest,
  choices: readonly ChosenEditions[],
  state: QuestionWithPassages,
): Span[] {
  if (state.question.isComparison) return []
  const texts = [...state.foundPassages.values()].map(({ passage }) => fold(passage.text))
  const latestSpans = request.latest.filter((span) => !isPhrase(state.question, span, texts))
  return [...new Set([...latestSpans, ...choices.flatMap(({ choice }) => choice.spans)])].filter(
    (span) => !request.latest.includes(span) || latestSpans.includes(span),
  )
}

/**
 * Whether one of the texts contains the span together with the content word before or after it. Then the span does not ask for an
 * edition, as in "current consumption".
 */
function isPhrase(
  { text, language }: Pick<Question, 'text' | 'language'>,
  { start, end }: Span,
  texts: readonly string[],
): boolean {
  const allWords = [...words(text)]
  const wordBefore = allWords.findLast((word) => word.end <= start)
  const wordAfter = allWords.find((word) => word.start >= end)
  const isContent = (word: string | undefined): boolean =>
    word !== undefined && contentTerms(word, language).length > 0
  const phrases = [
    isContent(wordBefore?.raw) ? text.slice(wordBefore?.start, end) : '',
    isContent(wordAfter?.raw) ? text.slice(start, wordAfter?.end) : '',
  ].filter(Boolean)
  return phrases.some((phrase) => texts.some((passageText) => passageText.includes(fold(phrase))))
}

/** The tools, with a search that leaves out some documents. */
export const withoutDocuments = (tools: Tools, excluded: ReadonlySet<string>): Tools =>
  excluded.size === 0
    ? tools
    : {
        ...tools,
        search: async (query, limit, only) =>
          (await tools.search(query, limit, only)).filter(({ document_id }) => !excluded.has(document_id)),
      }
