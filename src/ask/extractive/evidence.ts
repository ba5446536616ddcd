// The evidence in a passage: sentences, table rows and lists that can be quoted, each with the context that also
// counts when it is ranked (title, headings, column names). Pure.

import { type Sentence, sentences } from '../../language/sentences.ts'
import { wordsOf } from '../../language/unspaced.ts'
import { words } from '../../language/words.ts'
import type { Passage } from '../../search/passage.ts'
import { type Cell, columnsWithoutRows, tableRows } from '../markdown-table.ts'
import { fileNameOf, innermostHeading } from '../passage.ts'
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
  /**
   * Its position in the results of the search for the whole question, from 0. The position is a high number if only another search
   * found the passage.
   */
  rank: number
}

export interface Evidence {
  found: FoundPassage
  /** Verbatim: a sentence, a table row's line, or a list with its lead. */
  text: string
  /** For a table row: its cells with their column names. */
  cells?: Cell[]
  /** For a list: its lead and its items. */
  list?: TextList
  /** For a list: the terms of each item together with those of the lead. */
  items?: TextTerms[]
  /** The terms of `text`; of a row the terms of its cells. */
  own: TextTerms
  /** Column names of a row; the lead of a list; the name of a record or speaker. */
  headers: TextTerms
  /** The terms of the title, the file name, the front matter and the heading path. */
  around: TextTerms
  title: TextTerms
  /** The terms of the passage with its headings, title and file name. */
  whole: TextTerms
  /** The heading or question above it; the title when there is none. */
  headingAbove: SectionHeading
  /** It is one of the lines before the first sentence of a document. They name the document and state nothing. */
  isFrontMatter?: boolean
  /** For a sentence: the sentences of its paragraph, this one included, in reading order. */
  paragraph?: readonly ParagraphSentence[]
  /** In a conversation: the name of the speaker. */
  speaker?: string
  /** In a conversation: the turn in which it is said contains a question. */
  isInAskingTurn?: boolean
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
export const evidenceIn = (passages: readonly FoundPassage[]): Evidence[] => {
  const firstPassages = new Map(
    passages.flatMap(({ passage }) =>
      passage.chunk_no === 0 ? [[passage.document_id, passage] as const] : [],
    ),
  )
  return passages.flatMap((found) => {
    const { document_id, chunk_no } = found.passage
    const previousPassage = passages.find(
      ({ passage }) => passage.document_id === document_id && passage.chunk_no === chunk_no - 1,
    )
    const first = firstPassages.get(document_id)
    return cachedPieces(found, {
      columnNames: previousPassage ? columnsWithoutRows(previousPassage.passage.text) : [],
      frontMatter: first ? cachedFrontMatter(first) : '',
      hasLaterPassage: passages.some(
        ({ passage }) => passage.document_id === document_id && passage.chunk_no > chunk_no,
      ),
    })
  })
}

// In UTF-16 units. If the lines at the beginning are longer in total, they are ordinary text.
const MAX_FRONT_MATTER = 300

const frontMatters = new WeakMap<Passage, string>()

function cachedFrontMatter(passage: Passage): string {
  const frontMatter = frontMatters.get(passage) ?? frontMatterOf(passage)
  frontMatters.set(passage, frontMatter)
  return frontMatter
}

/** A letterhead with the lines between it and the first sentence. These lines name the document, as its title does. */
function frontMatterOf({ text }: Passage): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  if (!isLetterhead(lines[0] ?? '')) return ''
  const end = lines.findIndex((line) => endsStatement(line) || BULLET.test(line) || line.includes('|'))
  const frontMatter = lines.slice(0, Math.max(0, end)).join('\n')
  return frontMatter.length <= MAX_FRONT_MATTER ? frontMatter : ''
}

const endsStatement = (line: string): boolean => /[.!?;:。！？][”"’)*]*\s*$/u.test(withoutInitials(line))

/** The text without initials at its end ("S.L."), whose full stop does not end a sentence. */
const withoutInitials = (text: string): string => text.replace(/(?<![\p{L}.])(?:\p{Lu}\.)+$/u, '')

// Several steps of one answer need the pieces of the same passages, such as the search for amendments and the selection of quotations.
const piecesByPassage = new WeakMap<FoundPassage, { key: string; pieces: Evidence[] }>()

interface Surroundings {
  /** The column names at the end of the previous passage, if a table is split between the two passages. */
  columnNames: readonly string[]
  frontMatter: string
  /** Whether a later passage of the document was also found. */
  hasLaterPassage: boolean
}

function cachedPieces(found: FoundPassage, surroundings: Surroundings): Evidence[] {
  const key = JSON.stringify(surroundings)
  const cached = piecesByPassage.get(found)
  if (cached?.key === key) return cached.pieces
  const pieces = piecesOf(found, surroundings)
  piecesByPassage.set(found, { key, pieces })
  return pieces
}

function piecesOf(
  found: FoundPassage,
  { columnNames, frontMatter, hasLaterPassage }: Surroundings,
): Evidence[] {
  const { passage } = found
  const { rows, textWithoutTables: prose } = tableRows(passage.text, columnNames)
  const textWithoutCode = withoutCode(prose)
  const titles = `${passage.document_title}\n${fileNameOf(passage)}\n${frontMatter}`
  const around = textTerms(`${titles}\n${passage.heading}`, passage.language)
  const title = textTerms(titles, passage.language)
  const whole = passageTerms(passage)
  const lists = listsIn(textWithoutCode, innermostHeading(passage) || passage.document_title)
  const turns = turnsIn(textWithoutCode)
  const turnAt = (at: number): Turn | undefined => turns.findLast(({ start, end }) => start <= at && at < end)
  const { passageHeading, headingAt, isQuestionAt } =
    turns.length > 0 ? sectionsOfTurns(textWithoutCode, passage, turns) : sectionsOf(textWithoutCode, passage)
  const statements = sentences(textWithoutCode).filter(
    ({ text, start }) => !isQuestionAt(start) && isStatement(text, passage, headingAt(start)),
  )
  // A first passage without a sentence is all front matter if a later passage was found too.
  const frontMatterEnd =
    passage.chunk_no === 0 ? endOfFrontMatter(statements, hasLaterPassage ? textWithoutCode.length : 0) : 0
  const paragraphs = paragraphsIn(textWithoutCode, statements, { headingAt, turnAt })
  const sentenceEvidence = statements.map(({ text, start }): Evidence => {
    const headingAbove = headingAt(start)
    const paragraph = paragraphs.get(start)
    const turn = turnAt(start)
    const isOfRecord = !turn && headingAbove.text !== passage.document_title && isAttribute(text)
    return {
      found,
      text,
      own: textTerms(text, passage.language),
      // The name of a record counts for each of its lines, the name of a speaker for each sentence of the turn.
      headers: turn
        ? textTerms(withWordsOfName(turn.speaker), passage.language)
        : isOfRecord
          ? headingAbove.terms
          : NO_TERMS(passage.language),
      around,
      headingAbove,
      title,
      whole,
      isFrontMatter: !turn && (isLetterhead(text) || (start < frontMatterEnd && !isAttribute(text))),
      isOfRecord,
      ...(turn && { speaker: turn.speaker, isInAskingTurn: questionIn(textWithoutCode, turn) !== undefined }),
      ...(paragraph && { paragraph }),
    }
  })
  return [
    ...sentenceEvidence,
    ...lists.map(
      (list): Evidence =>
        listEvidence(list, found, { around, title, whole, headingAbove: headingAt(list.start) }),
    ),
    ...rows
      .filter(({ cells }) => cells.length > 1)
      .map((row) => rowEvidence(row, found, { around, title, whole, headingAbove: passageHeading })),
  ]
}

/**
 * The offset of the first sentence or list item of a document, or 0 if more than MAX_FRONT_MATTER stands before it.
 * @param otherwise the offset to use if there is neither
 */
function endOfFrontMatter(statements: readonly Sentence[], otherwise: number): number {
  const first = statements.find(({ text }) => endsStatement(text) || BULLET.test(text))
  const start = first?.start ?? otherwise
  return start <= MAX_FRONT_MATTER ? start : 0
}

/** By the offset of a sentence, the sentences of its paragraph or turn. Each list item begins a paragraph. Lines of records are left out. */
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
  let previous: Sentence | undefined
  for (const statement of statements) {
    const { text: sentence, start } = statement
    const turn = turnAt(start)
    const isOfRecord = !turn && isAttribute(sentence)
    const beginsParagraph =
      !previous ||
      turn !== turnAt(previous.start) ||
      headingAt(previous.start) !== headingAt(start) ||
      /\n\s*\n/.test(text.slice(previous.end, start)) ||
      BULLET.test(sentence) ||
      // The previous line ends without punctuation, such as a line of an address.
      (!turn && (!endsStatement(previous.text) || isAttribute(previous.text)))
    if (beginsParagraph) paragraph = []
    previous = statement
    if (isOfRecord) continue
    paragraph.push({ text: sentence, start })
    paragraphs.set(start, paragraph)
  }
  return paragraphs
}

// In UTF-16 units. Only the beginning of a text is checked for capitals.
const CAPITALS_CHECK_LENGTH = 200

/** "CITY OF ARDLOW Waste office Notice 12": it begins with at least two words in capitals and does not end like a sentence. */
const isLetterhead = (text: string): boolean =>
  beginsInCapitals(text.slice(0, CAPITALS_CHECK_LENGTH)) && !endsStatement(text)

/** Whether the first word is in capitals and so is the next one, not counting short ones such as "OF" and "&". */
function beginsInCapitals(text: string): boolean {
  const [first = '', ...followingWords] = text.split(/\s+/)
  if (!/^[\p{Lu}\p{N}\p{P}]+$/u.test(first) || !/\p{Lu}{3}/u.test(first)) return false
  const isShort = (word: string): boolean => /^[\p{P}\p{Lu}]{1,3}$/u.test(word) && !/\p{Lu}{3}/u.test(word)
  const next = followingWords.find((word) => !isShort(word)) ?? ''
  return /^[\p{Lu}\p{N}\p{P}]*\p{Lu}{3}/u.test(next)
}

interface Sections {
  /** The heading of the passage. */
  passageHeading: SectionHeading
  headingAt: (at: number) => SectionHeading
  /**
   * Whether the text at this offset belongs to a question: one that is the heading of the text below it, or any question in a
   * conversation.
   */
  isQuestionAt: (at: number) => boolean
}

/** Finds the heading above a statement. Offsets are in UTF-16 units. */
function sectionsOf(text: string, passage: Passage): Sections {
  const innermost = innermostHeading(passage) || passage.document_title
  const passageHeading = headingOf(innermost, passage)
  const sections = headingsIn(text).map((heading) => ({
    ...heading,
    headingAbove: headingOf(heading.text, passage),
  }))
  return {
    passageHeading,
    headingAt: (at) => sections.findLast(({ end }) => end <= at)?.headingAbove ?? passageHeading,
    isQuestionAt: (at) =>
      sections.some(({ start, end, isQuestion }) => isQuestion && start <= at && at < end),
  }
}

/** In a conversation the question of one turn is the heading of the turn that answers it. Questions are not statements. */
function sectionsOfTurns(text: string, passage: Passage, turns: readonly Turn[]): Sections {
  const passageHeading = headingOf(innermostHeading(passage) || passage.document_title, passage)
  const replies = repliesIn(text, turns).map((reply) => ({
    ...reply,
    headingAbove: headingOf(reply.question, passage),
  }))
  const questions = sentences(text).filter(({ text: said }) => /[?？؟]["”’*)]*$/u.test(said.trim()))
  return {
    passageHeading,
    headingAt: (at) =>
      replies.find(({ start, end }) => start <= at && at < end)?.headingAbove ?? passageHeading,
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
  context: Pick<Evidence, 'around' | 'headingAbove' | 'title' | 'whole'>,
): Evidence {
  const { language, text } = found.passage
  // A heading above a list is not its lead. It counts as a heading above a sentence does.
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
  context: Pick<Evidence, 'around' | 'headingAbove' | 'title' | 'whole'>,
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

/** A heading, a question, a page number or a label is not a statement. Below a question even "No." is a statement. */
function isStatement(text: string, passage: Passage, { text: heading }: SectionHeading): boolean {
  // Not a statement: a salutation, or a text that is only a question. "It answers four questions: what is this …?" is a statement.
  if (SALUTATION.test(text.trim()) || /^[^:：]*[?？؟]["”’*]*$/.test(text)) return false
  const headings = [passage.document_title, ...passage.heading.split(' > ')].map((heading) => heading.trim())
  const bare = text.replace(/^#+\s*/, '')
  if (headings.includes(bare)) return false
  return (
    /[?？؟]$/.test(heading) ||
    isAttribute(bare) ||
    [...words(bare)].flatMap(({ raw }) => wordsOf(raw)).length >= MIN_WORDS ||
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]{4}/u.test(bare)
  )
}

/**
 * Whether numbered steps are those that the question asks for. Heading, title and lead must cover STEPS_HEADING_COVERAGE of its
 * keywords, and together with the steps HEADING_COVERAGE.
 */
const areStepsAskedFor = (
  keywords: readonly Keyword[],
  above: readonly TextTerms[],
  steps: TextTerms,
): boolean => {
  const contentKeywords = keywords.filter(({ word, isTopic }) => !isTopic && !namesType('steps', word))
  return (
    contentKeywords.length > 0 &&
    coverage(contentKeywords, above) >= STEPS_HEADING_COVERAGE &&
    coverage(contentKeywords, [...above, steps]) >= HEADING_COVERAGE
  )
}

// A heading matches a question if three things are true. With the title and the headings above it covers HEADING_COVERAGE of the
// question. Alone it covers OWN_HEADING_COVERAGE of what the title does not say. MATCHING_HEADING_WORDS of its own words are in the
// question.
const HEADING_COVERAGE = 0.6
const OWN_HEADING_COVERAGE = 0.5
const STEPS_HEADING_COVERAGE = 0.4
const MATCHING_HEADING_WORDS = 0.6

/**
 * Whether the text below the heading is the answer. The heading may say the same as the question ("Can I bring my dog?" above "Yes, on
 * Fridays."), or the evidence may be in the part of a document that the question names by number or title.
 */
export function matchesHeading(
  {
    around,
    title,
    headers,
    list,
    own,
    headingAbove: { text: heading, terms },
    found: { passage },
    text,
  }: Evidence,
  {
    keywords: questionKeywords,
    part,
    type,
  }: { keywords: readonly Keyword[]; part?: string | undefined; type?: AnswerType },
): boolean {
  if (part !== undefined)
    return isPart(heading, part, passage.language) || (/^\d/.test(part) && isClause(text, part))
  if (
    type === 'steps' &&
    list?.isOrdered &&
    areStepsAskedFor(questionKeywords, [terms, around, headers], own)
  )
    return true
  // An everyday word that no document contains need not be in the heading: without "rules", "Safety" matches "What are the safety
  // rules?".
  const keywords = questionKeywords.filter(({ isKnown, isGeneric }) => isKnown || !isGeneric)
  if (!keywords.some(({ weight }) => weight > 0)) return false
  const headingTermsInQuestion = [...terms.terms].filter((term) =>
    keywords.some(({ forms, synonyms }) => forms.get(terms.language) === term || synonyms.has(term)),
  )
  // In "The recommendations of the estuary report" the title covers "estuary report", so the heading must cover "recommendations" only.
  const keywordsNotInTitle = keywords.filter((keyword) => !contains(title, keyword))
  const headingCoverage = coverage(keywordsNotInTitle.length > 0 ? keywordsNotInTitle : keywords, [terms])
  return (
    headingTermsInQuestion.length > 0 &&
    // A year or a single everyday word in common is not enough, because any heading may contain it. It is enough if the heading covers
    // all keywords.
    (headingCoverage === 1 ||
      headingTermsInQuestion.filter((term) => /\p{L}/u.test(term)).length > 1 ||
      keywords.some(
        (keyword) => !keyword.isGeneric && /\p{L}/u.test(keyword.word) && contains(terms, keyword),
      )) &&
    headingTermsInQuestion.length >= MATCHING_HEADING_WORDS * terms.terms.size &&
    headingCoverage >= OWN_HEADING_COVERAGE &&
    coverage(keywords, [terms, around]) >= HEADING_COVERAGE
  )
}
