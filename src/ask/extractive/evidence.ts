// The evidence in a passage: sentences, table rows and lists that can be quoted, each with the context that also
// counts when it is ranked (title, headings, column names). Pure.

import { type Sentence, sentences } from '../../language/sentences.ts'
import { wordsOf } from '../../language/unspaced.ts'
import { words } from '../../language/words.ts'
import type { Passage } from '../../search/passage.ts'
import { type Cell, columnsWithoutRows, tableRows } from '../markdown-table.ts'
import { innermostHeading } from '../passage.ts'
import { type AnswerType, namesType } from './answer-type.ts'
import {
  combined,
  contains,
  coverage,
  type Keyword,
  NO_TERMS,
  passageTerms,
  type TextTerms,
  textTerms,
} from './keywords.ts'
import { isClause, isPart } from './part-number.ts'
import { isAttribute } from './records.ts'
import { BULLET, headingsIn, listsIn, type TextList, withoutCode, withoutNumber } from './text-structure.ts'
import { questionIn, repliesIn, type Turn, turnsIn, withWordsOfName } from './turns.ts'

/** A passage found for a question, and how it was found. */
export interface FoundPassage {
  passage: Passage
  /** Its score divided by the best score of its search, 0 to 1. */
  relevance: number
  /** Its place in the search for the whole question, from 0; of others one far behind. */
  rank: number
}

export interface Evidence {
  found: FoundPassage
  /** Verbatim: a sentence, a table row's line, or a list with its lead. */
  text: string
  /** For a table row: its cells with their column names. */
  cells?: Cell[]
  /** For a list: its lead and its items, and the terms of each item with the lead. */
  list?: TextList
  items?: TextTerms[]
  own: TextTerms
  /** Column names of a row; the lead of a list; the name of a record or speaker. */
  headers: TextTerms
  /** Title and heading path. */
  around: TextTerms
  title: TextTerms
  /** The passage with its headings and title. */
  whole: TextTerms
  /** The heading or question above it; the title when there is none. */
  under: SectionHeading
  /** It stands before the first sentence of a document and is none: it names the document and says nothing of it. */
  isLetterhead?: boolean
  /** For a sentence: those of its paragraph, itself among them, in reading order. */
  paragraph?: readonly ParagraphSentence[]
  /** Who says it, in a conversation. */
  speaker?: string
  /** That turn asks something itself. */
  isOfAsker?: boolean
  /** It is a line of a record, "Budget: 20,000 euros.", which the heading above it names. */
  isOfRecord?: boolean
}

export interface SectionHeading {
  text: string
  terms: TextTerms
}

/** A sentence of a passage, with its offset there in UTF-16 units. */
export interface ParagraphSentence {
  text: string
  start: number
}

const MIN_WORDS = 3

/** Everything quotable in the passages, each in reading order; headings and captions are not quotable. */
export const evidenceIn = (all: readonly FoundPassage[]): Evidence[] => {
  const firstPassages = new Map(
    all.flatMap(({ passage }) => (passage.chunk_no === 0 ? [[passage.document_id, passage] as const] : [])),
  )
  return all.flatMap((found) => {
    const { document_id, chunk_no } = found.passage
    const before = all.find(
      ({ passage }) => passage.document_id === document_id && passage.chunk_no === chunk_no - 1,
    )
    const first = firstPassages.get(document_id)
    return keptPieces(found, {
      columnNames: before ? columnsWithoutRows(before.passage.text) : [],
      frontMatter: first ? keptFrontMatter(first) : '',
      goesOn: all.some(({ passage }) => passage.document_id === document_id && passage.chunk_no > chunk_no),
    })
  })
}

// Longer lines at the beginning are text.
const MAX_FRONT_MATTER = 300

const frontMatters = new WeakMap<Passage, string>()

function keptFrontMatter(passage: Passage): string {
  const frontMatter = frontMatters.get(passage) ?? frontMatterOf(passage)
  frontMatters.set(passage, frontMatter)
  return frontMatter
}

/** A letterhead and what stands below it before the first sentence: it names the document as its title does. */
function frontMatterOf({ text }: Passage): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  if (!isLetterhead(lines[0] ?? '')) return ''
  const end = lines.findIndex((line) => endsStatement(line) || BULLET.test(line) || line.includes('|'))
  const front = lines.slice(0, Math.max(0, end)).join('\n')
  return front.length <= MAX_FRONT_MATTER ? front : ''
}

const endsStatement = (line: string): boolean => /[.!?;:。！？][”"’)*]*\s*$/u.test(withoutInitials(line))

/** Without the initials at its end, whose full stop ends no sentence: S.L. */
const withoutInitials = (text: string): string => text.replace(/(?<![\p{L}.])(?:\p{Lu}\.)+$/u, '')

// A question looks at the same passages three times: for names to follow, for amendments, and for the answer.
const piecesByPassage = new WeakMap<FoundPassage, { key: string; pieces: Evidence[] }>()

interface Surroundings {
  /** Of a table whose head stands at the end of the passage before. */
  columnNames: readonly string[]
  frontMatter: string
  /** Whether a later passage of the document is among them. */
  goesOn: boolean
}

function keptPieces(found: FoundPassage, surroundings: Surroundings): Evidence[] {
  const key = JSON.stringify(surroundings)
  const before = piecesByPassage.get(found)
  if (before?.key === key) return before.pieces
  const pieces = piecesOf(found, surroundings)
  piecesByPassage.set(found, { key, pieces })
  return pieces
}

function piecesOf(found: FoundPassage, { columnNames, frontMatter, goesOn }: Surroundings): Evidence[] {
  const { passage } = found
  const { rows, textWithoutTables: prose } = tableRows(passage.text, columnNames)
  const rest = withoutCode(prose)
  const titles = `${passage.document_title}\n${frontMatter}`
  const around = textTerms(`${titles}\n${passage.heading}`, passage.language)
  const title = textTerms(titles, passage.language)
  const whole = passageTerms(passage)
  const lists = listsIn(rest, innermostHeading(passage) || passage.document_title)
  const turns = turnsIn(rest)
  const turnAt = (at: number): Turn | undefined => turns.findLast(({ start, end }) => start <= at && at < end)
  const { passageHeading, headingAt, isQuestionAt } =
    turns.length > 0 ? sectionsOfTurns(rest, passage, turns) : sectionsOf(rest, passage)
  const statements = sentences(rest).filter(
    ({ text, start }) => !isQuestionAt(start) && isStatement(text, passage, headingAt(start)),
  )
  const begins = passage.chunk_no === 0 ? firstStatementIn(statements, goesOn ? rest.length : 0) : 0
  const paragraphs = paragraphsIn(rest, statements, { headingAt, turnAt })
  const quoted = statements.map(({ text, start }): Evidence => {
    const under = headingAt(start)
    const paragraph = paragraphs.get(start)
    const turn = turnAt(start)
    const isOfRecord = !turn && under.text !== passage.document_title && isAttribute(text)
    return {
      found,
      text,
      own: textTerms(text, passage.language),
      // The name of a record is said of each of its lines, that of a speaker of each sentence.
      headers: turn
        ? textTerms(withWordsOfName(turn.speaker), passage.language)
        : isOfRecord
          ? under.terms
          : NO_TERMS(passage.language),
      around,
      under,
      title,
      whole,
      isLetterhead: !turn && (isLetterhead(text) || (start < begins && !isAttribute(text))),
      isOfRecord,
      ...(turn && { speaker: turn.speaker, isOfAsker: questionIn(rest, turn) !== undefined }),
      ...(paragraph && { paragraph }),
    }
  })
  return [
    ...quoted,
    ...lists.map(
      (list): Evidence => listEvidence(list, found, { around, title, whole, under: headingAt(list.start) }),
    ),
    ...rows
      .filter(({ cells }) => cells.length > 1)
      .map((row) => rowEvidence(row, found, { around, title, whole, under: passageHeading })),
  ]
}

/** Where the first statement of a document begins, if little stands before it. @param otherwise where none is */
function firstStatementIn(statements: readonly Sentence[], otherwise: number): number {
  const first = statements.find(({ text }) => endsStatement(text) || BULLET.test(text))
  const start = first?.start ?? otherwise
  return start <= MAX_FRONT_MATTER ? start : 0
}

/** By its offset, the paragraph or turn of each sentence; items of lists and lines of records stand for themselves. */
function paragraphsIn(
  text: string,
  statements: readonly Sentence[],
  {
    headingAt,
    turnAt,
  }: { headingAt: (at: number) => SectionHeading; turnAt: (at: number) => Turn | undefined },
): Map<number, ParagraphSentence[]> {
  const paragraphs = new Map<number, ParagraphSentence[]>()
  let paragraph: ParagraphSentence[] = []
  let before: Sentence | undefined
  for (const statement of statements) {
    const { text: said, start } = statement
    const turn = turnAt(start)
    const isOfRecord = !turn && isAttribute(said)
    const isApart =
      !before ||
      turn !== turnAt(before.start) ||
      headingAt(before.start) !== headingAt(start) ||
      /\n\s*\n/.test(text.slice(before.end, start)) ||
      BULLET.test(said) ||
      // A line of its own, such as a part of an address.
      (!turn && (!endsStatement(before.text) || isAttribute(before.text)))
    if (isApart) paragraph = []
    before = statement
    if (isOfRecord) continue
    paragraph.push({ text: said, start })
    paragraphs.set(start, paragraph)
  }
  return paragraphs
}

// A longer first line is no name.
const MAX_LETTERHEAD_NAME = 200

/** "CITY OF ARDLOW Waste office Notice 12": at least two words of capitals, and no end of a sentence. */
const isLetterhead = (text: string): boolean =>
  beginsInCapitals(text.slice(0, MAX_LETTERHEAD_NAME)) && !endsStatement(text)

/** Whether the first word is in capitals, and the next but for short ones such as "OF" and "&". */
function beginsInCapitals(text: string): boolean {
  const [first = '', ...others] = text.split(/\s+/)
  if (!/^[\p{Lu}\p{N}\p{P}]+$/u.test(first) || !/\p{Lu}{3}/u.test(first)) return false
  const isShort = (word: string): boolean => /^[\p{P}\p{Lu}]{1,3}$/u.test(word) && !/\p{Lu}{3}/u.test(word)
  const next = others.find((word) => !isShort(word)) ?? ''
  return /^[\p{Lu}\p{N}\p{P}]*\p{Lu}{3}/u.test(next)
}

interface Sections {
  /** The heading of the passage. */
  passageHeading: SectionHeading
  headingAt: (at: number) => SectionHeading
  /** Whether a question is at this offset that the text below it answers. */
  isQuestionAt: (at: number) => boolean
}

/** Which heading of the passage a statement is under; offsets in UTF-16 units. */
function sectionsOf(text: string, passage: Passage): Sections {
  const own = innermostHeading(passage) || passage.document_title
  const passageHeading = headingOf(own, passage)
  const sections = headingsIn(text).map((heading) => ({
    ...heading,
    under: headingOf(heading.text, passage),
  }))
  return {
    passageHeading,
    headingAt: (at) => sections.findLast(({ end }) => end <= at)?.under ?? passageHeading,
    isQuestionAt: (at) =>
      sections.some(({ start, end, isQuestion }) => isQuestion && start <= at && at < end),
  }
}

/** A turn that answers stands under what the turn before asks; what is asked states nothing. */
function sectionsOfTurns(text: string, passage: Passage, turns: readonly Turn[]): Sections {
  const passageHeading = headingOf(innermostHeading(passage) || passage.document_title, passage)
  const replies = repliesIn(text, turns).map((reply) => ({
    ...reply,
    under: headingOf(reply.question, passage),
  }))
  const questions = sentences(text).filter(({ text: said }) => /[?？؟]["”’*)]*$/u.test(said.trim()))
  return {
    passageHeading,
    headingAt: (at) => replies.find(({ start, end }) => start <= at && at < end)?.under ?? passageHeading,
    isQuestionAt: (at) => questions.some(({ start, end }) => start <= at && at < end),
  }
}

const headingOf = (heading: string, { language }: Passage): SectionHeading => ({
  text: heading,
  terms: textTerms(withoutNumber(heading), language),
})

function listEvidence(
  list: TextList,
  found: FoundPassage,
  context: Pick<Evidence, 'around' | 'under' | 'title' | 'whole'>,
): Evidence {
  const { language, text } = found.passage
  // A heading above a list is no part of it: it counts as above a sentence.
  const lead = list.hasLead ? textTerms(list.lead, language) : NO_TERMS(language)
  const items = list.items.map((item) => combined(lead, textTerms(item, language)))
  return {
    found,
    text: text.slice(list.start, list.end),
    list,
    items,
    own: textTerms([...(list.hasLead ? [list.lead] : []), ...list.items].join('\n'), language),
    headers: lead,
    ...context,
  }
}

function rowEvidence(
  row: { line: string; cells: Cell[] },
  found: FoundPassage,
  context: Pick<Evidence, 'around' | 'under' | 'title' | 'whole'>,
): Evidence {
  const { language } = found.passage
  const joined = (part: 'header' | 'text'): string => row.cells.map((cell) => cell[part]).join('\n')
  return {
    found,
    text: row.line,
    cells: row.cells,
    own: textTerms(joined('text'), language),
    headers: textTerms(joined('header'), language),
    ...context,
  }
}

// The salutation and the closing of a letter are not statements.
const SALUTATION =
  /^(?:dear|hello|hi|good (?:morning|afternoon|day)|sehr geehrte[rns]?|liebe[rs]?|hallo|guten (?:tag|morgen)|bonjour|chère?s?|madame|monsieur|estimad[oa]s?|querid[oa]s?|hola|(?:kind|best|warm|many)(?:est)? (?:regards|wishes)|yours (?:sincerely|faithfully|truly)|mit freundlichen|(?:viele|beste|herzliche|freundliche) grüße|cordialement|bien à vous|veuillez agréer|atentamente|un saludo|saludos)(?![\p{L}])[^.?!;]{0,80}[,!.:]?$/iu

/** A heading, a question, a page number or a label is no statement; below a question even "No." is one. */
function isStatement(text: string, passage: Passage, { text: heading }: SectionHeading): boolean {
  // A question alone; "it answers four questions: what is this …?" states something.
  if (SALUTATION.test(text.trim()) || /^[^:：]*[?？؟]["”’*]*$/.test(text)) return false
  const headings = [passage.document_title, ...passage.heading.split(' > ')].map((heading) => heading.trim())
  const bare = text.replace(/^#+\s*/, '')
  if (headings.includes(bare)) return false
  return (
    /[?？؟]$/.test(heading) ||
    isAttribute(bare) ||
    [...words(bare)].flatMap(({ raw }) => wordsOf(raw)).length >= MIN_WORDS ||
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Hangul}]{4}/u.test(bare)
  )
}

/** Whether a heading, the title and the lead of numbered steps say what is to be done by them, or half of it and the steps the rest. */
const isCoveredAbove = (
  keywords: readonly Keyword[],
  above: readonly TextTerms[],
  steps: TextTerms,
): boolean => {
  const asked = keywords.filter(({ word, isTopic }) => !isTopic && !namesType('steps', word))
  return (
    asked.length > 0 &&
    coverage(asked, above) >= STEPS_HEADING_COVERAGE &&
    coverage(asked, [...above, steps]) >= HEADING_COVERAGE
  )
}

// A heading matches a question when, with the title and the headings above, it covers this much of the question; by
// itself at least this much; and when this share of its own words is in the question.
const HEADING_COVERAGE = 0.6
const OWN_HEADING_COVERAGE = 0.5
const STEPS_HEADING_COVERAGE = 0.4
const MATCHING_HEADING_WORDS = 0.6

/**
 * Whether the heading above asks the question ("Can I bring my dog?" above "Yes, on Fridays."), or is the part of a document
 * that it names by its number or title: then the text under it is the answer.
 */
export function matchesHeading(
  { around, title, headers, list, own, under: { text: heading, terms }, found: { passage }, text }: Evidence,
  {
    keywords: all,
    part,
    type,
  }: { keywords: readonly Keyword[]; part?: string | undefined; type?: AnswerType },
): boolean {
  if (part !== undefined)
    return isPart(heading, part, passage.language) || (/^\d/.test(part) && isClause(text, part))
  if (type === 'steps' && list?.isOrdered && isCoveredAbove(all, [terms, around, headers], own)) return true
  // "What are the safety rules?" is asked by "Safety" where no document says "rules".
  const keywords = all.filter(({ isKnown, isGeneric }) => isKnown || !isGeneric)
  if (!keywords.some(({ weight }) => weight > 0)) return false
  const asked = [...terms.terms].filter((term) =>
    keywords.some(({ forms, synonyms }) => forms.get(terms.language) === term || synonyms.has(term)),
  )
  // "The recommendations of the estuary report": the title says the rest.
  const open = keywords.filter((keyword) => !contains(title, keyword))
  const share = coverage(open.length > 0 ? open : keywords, [terms])
  return (
    asked.length > 0 &&
    // A year or one everyday word is in the heading of anything, unless nothing else is asked.
    (share === 1 ||
      asked.filter((term) => /\p{L}/u.test(term)).length > 1 ||
      keywords.some(
        (keyword) => !keyword.isGeneric && /\p{L}/u.test(keyword.word) && contains(terms, keyword),
      )) &&
    asked.length >= MATCHING_HEADING_WORDS * terms.terms.size &&
    share >= OWN_HEADING_COVERAGE &&
    coverage(keywords, [terms, around]) >= HEADING_COVERAGE
  )
}
