// Chooses among the editions of the documents found: of each series those that the question asks for are searched, and passages of
// the others are set aside, for what nothing else says and for what was said before.

import { contentTerms } from '../../../language/analyse.ts'
import { fold, words } from '../../../language/words.ts'
import type { Passage } from '../../../search/passage.ts'
import type { NamedDocument, StepReport, Tools } from '../../tools/tools.ts'
import type { FoundPassage } from '../evidence.ts'
import type { Question } from '../question.ts'
import { marksInName } from './marks.ts'
import { type Choice, choose, type EditionRequest, editionRequest, type Span } from './request.ts'
import { type Series, seriesAmong } from './series.ts'

/** What a question, or a statement that is checked, has found so far. */
export interface FoundSoFar {
  question: Pick<Question, 'text' | 'language' | 'isComparison'>
  found: Map<string, FoundPassage>
}

/** A series of which the question asks for some editions. */
export interface ChosenEditions {
  series: Series
  choice: Choice
}

export interface EditionSelection {
  /** All series of the documents found, and what these are called. */
  series: Series[]
  described: NamedDocument[]
  choices: ChosenEditions[]
  /** What was found in editions that the question does not ask for. */
  setAside: ReadonlyMap<string, FoundPassage>
  /** The ids of all their documents. */
  excluded: ReadonlySet<string>
  /** The parts of the question that ask for an edition: no text has to repeat them. */
  spans: Span[]
}

// The documents of the best passages; the editions of others are not looked for.
const MAX_DOCUMENTS = 6
const SEARCH_LIMIT = 8
const MIN_NAME_LENGTH = 3

/**
 * The editions that the question asks for. Passages of others are taken out of what was found, and those of the editions asked for
 * take their place.
 * @param query the text that was searched for; @param today `2026-11-29`
 */
export async function* chooseEditions(
  tools: Pick<Tools, 'search' | 'describeDocuments' | 'outOfTime'>,
  state: FoundSoFar,
  { query, today }: { query: string; today: string },
): AsyncGenerator<StepReport, EditionSelection> {
  const request = editionRequest(state.question.text, state.question.language, today)
  const described = await describe(tools, state)
  const texts = [...state.found.values()].map(({ passage }) => passage.text)
  const series = seriesAmong(described, today)
  const choices = series.flatMap((own): ChosenEditions[] => {
    const choice = choose(own, request, texts)
    return choice ? [{ series: own, choice }] : []
  })
  const excluded = new Set(choices.flatMap(excludedOf))
  const setAside = new Map([...state.found].filter(([, { passage }]) => excluded.has(passage.document_id)))
  for (const id of setAside.keys()) state.found.delete(id)
  const places = [...setAside.values()]
  const documents = choices
    .filter((one) => places.some(({ passage }) => excludedOf(one).includes(passage.document_id)))
    .flatMap(({ choice }) => choice.editions.map(({ documentId }) => documentId))
  if (documents.length > 0 && !tools.outOfTime()) {
    const passages = await tools.search(query, SEARCH_LIMIT, { documents })
    takePlaces(state, passages, places)
    yield {
      type: 'search',
      label: 'Searching the edition that is asked for',
      query: state.question.text,
      result_count: passages.length,
    }
  }
  return { series, described, choices, setAside, excluded, spans: spansOf(request, choices, state) }
}

const excludedOf = ({ series, choice }: ChosenEditions): string[] =>
  series.editions.filter((edition) => !choice.editions.includes(edition)).map(({ documentId }) => documentId)

/** The documents of the best passages, and those that are called alike. */
async function describe(
  tools: Pick<Tools, 'describeDocuments'>,
  { found }: FoundSoFar,
): Promise<NamedDocument[]> {
  const best = [...found.values()].sort((a, b) => b.relevance - a.relevance)
  const titles = new Map(
    best.map(({ passage: { document_id, document_title, language } }) => [
      document_id,
      { title: document_title, language },
    ]),
  )
  const first = [...titles].slice(0, MAX_DOCUMENTS)
  const beginnings = first.map(([, { title }]) => nameBeginning(title))
  return tools.describeDocuments(
    first.map(([id]) => id),
    [...new Set(beginnings)].filter((name) => name.length >= MIN_NAME_LENGTH),
  )
}

/** The words of a title before anything marks the edition. */
function nameBeginning(title: string): string {
  const [own = ''] = title.split(' – ')
  const separate = [...own.matchAll(/[\p{L}\p{N}.]+/gu)]
  const marked = separate.find(({ 0: word, index }) => {
    const marks = marksInName(own.slice(0, index + word.length))
    return marks.period !== undefined || marks.number !== undefined || marks.state !== 'released'
  })
  const end = marked?.index ?? own.length
  return own.slice(0, end).replace(/[^\p{L}\p{N}]+(?:version|edition|v|ed|rev)?[^\p{L}\p{N}]*$/iu, '')
}

/** Passages of the editions asked for stand where those of the others stood. */
function takePlaces(state: FoundSoFar, passages: readonly Passage[], places: readonly FoundPassage[]): void {
  const relevance = Math.max(...places.map((place) => place.relevance))
  const rank = Math.min(...places.map((place) => place.rank))
  const best = passages[0]?.score ?? 1
  for (const [i, passage] of passages.entries()) {
    const own = { passage, relevance: (relevance * passage.score) / best, rank: rank + i }
    const before = state.found.get(passage.chunk_id)
    if (!before || before.relevance < own.relevance)
      state.found.set(passage.chunk_id, { ...own, rank: Math.min(own.rank, before?.rank ?? own.rank) })
  }
}

function spansOf(request: EditionRequest, choices: readonly ChosenEditions[], state: FoundSoFar): Span[] {
  if (state.question.isComparison) return []
  const texts = [...state.found.values()].map(({ passage }) => fold(passage.text))
  const latest = request.latest.filter((span) => !isPhrase(request.text, span, texts))
  return [...new Set([...latest, ...choices.flatMap(({ choice }) => choice.spans)])].filter(
    (span) => !request.latest.includes(span) || latest.includes(span),
  )
}

/** Whether a text has the words with the content word beside them: "current consumption" asks for no edition. */
function isPhrase(text: string, { start, end }: Span, texts: readonly string[]): boolean {
  const all = [...words(text)]
  const before = all.findLast((word) => word.end <= start)
  const behind = all.find((word) => word.start >= end)
  const isContent = (word: string | undefined): boolean =>
    word !== undefined && contentTerms(word, 'en').length > 0
  const phrases = [
    isContent(before?.raw) ? text.slice(before?.start, end) : '',
    isContent(behind?.raw) ? text.slice(start, behind?.end) : '',
  ].filter(Boolean)
  return phrases.some((phrase) => texts.some((one) => one.includes(fold(phrase))))
}

/** Tools that find nothing in some documents. */
export const withoutDocuments = (tools: Tools, excluded: ReadonlySet<string>): Tools =>
  excluded.size === 0
    ? tools
    : {
        ...tools,
        search: async (query, limit, only) =>
          (await tools.search(query, limit, only)).filter(({ document_id }) => !excluded.has(document_id)),
      }
