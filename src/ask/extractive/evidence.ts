// The evidence in a passage: sentences, table rows and lists that can be quoted, each with the context that also
// counts when it is ranked (title, headings, column names). Pure.

import { withoutFencedCode } from '../../language/fenced-code.ts'
import { type Sentence, sentences } from '../../language/sentences.ts'
import { wordsOf } from '../../language/unspaced.ts'
import { words } from '../../language/words.ts'
import type { Passage } from '../../search/passage.ts'
import { type Cell, columnsWithoutRows, tableRows } from '../markdown-table.ts'
import { fileNameOf, innermostHeading } from '../passage.ts'
import { type AnswerType, isTypeWord } from './answer-type.ts'
import {
  combineTerms,
  containsKeyword,
  coverage,
  isSynonymIn,
  type Keyword,
  noTerms,
  type TextTerms,
  termsOfPassage,
  textTerms,
} from './keywords.ts'
import { isClause, isPart } from './part-number.ts'
import { attributesOf, isAttribute } from './records.ts'
import { BULLET, headingsIn, listsIn, type TextList, withoutNumber } from './text-structure.ts'
import { questionIn, repliesIn, type Turn, turnsIn, withWordsOfName } from './turns.ts'

/** A passage found for a question, with its relevance and its rank. */
export interface FoundPassage {
  passage: Passage
  /** Its score divided by the best score of its search, 0 to 1. */
  relevance: number
  /**
   * Its position in the results of the search for the whole question, from 0. If only another search found the passage, it is a
   * high number (retrieval.ts).
   */
  rank: number
}

export interface Evidence {
  foundPassage: FoundPassage
  /** Verbatim: a sentence, a table row's line, or a list with its lead. */
  text: string
  /** For a table row: its cells with their column names. */
  cells?: Cell[]
  /** For a list: its lead and its items. */
  list?: TextList
  /** For a list: the terms of each item together with those of the lead. */
  items?: TextTerms[]
  /** The terms of `text`; of a row the terms of its cells. */
  ownTerms: TextTerms
  /** Column names of a row; the lead of a list; the name of a record or speaker. */
  headerTerms: TextTerms
  /** The terms of the title, the file name, the front matter and the heading path. */
  contextTerms: TextTerms
  titleTerms: TextTerms
  /** The terms of the fields at the head of the document ("Date: 18 April"), which hold for all of its text. */
  fieldTerms: TextTerms
  /** The terms of the passage with its headings, title and file name. */
  passageTerms: TextTerms
  /** The heading or question above it; the title if there is none. */
  headingAbove: SectionHeading
  /** Whether it is one of the lines before the first sentence of a document, which name the document but state nothing. */
  isFrontMatter?: boolean
  /** For a sentence: the sentences of its paragraph, this one included, in reading order. */
  paragraph?: readonly ParagraphSentence[]
  /** In a conversation: the name of the speaker. */
  speaker?: string
  /** In a conversation: whether its turn contains a question. */
  isInAskingTurn?: boolean
  /** Whether it is an attribute of a record ("Budget: 20,000 euros."). The heading above it is the name of the record. */
  isOfRecord?: boolean
  /** For a field at the head of a document ("Date: 18 April"): the terms of its label. */
  fieldLabel?: TextTerms
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

const MIN_STATEMENT_WORDS = 3

/**
 * The quotable parts of each passage: its sentences, then its lists, then its table rows. Headings and captions are not quotable.
 */
export const evidenceIn = (passages: readonly FoundPassage[]): Evidence[] => {
  const firstPassages = new Map(
    passages.flatMap(({ passage }) =>
      passage.chunk_no === 0 ? [[passage.document_id, passage] as const] : [],
    ),
  )
  return passages.flatMap((foundPassage) => {
    const { document_id, chunk_no } = foundPassage.passage
    const previousPassage = passages.find(
      ({ passage }) => passage.document_id === document_id && passage.chunk_no === chunk_no - 1,
    )
    const first = firstPassages.get(document_id)
    return cachedPieces(foundPassage, {
      columnNames: previousPassage ? columnsWithoutRows(previousPassage.passage.text) : [],
      frontMatter: first ? cachedFrontMatter(first) : '',
      fields: first ? headFieldsOf(first, passages) : '',
      hasLaterPassage: passages.some(
        ({ passage }) => passage.document_id === document_id && passage.chunk_no > chunk_no,
      ),
    })
  })
}

// In UTF-16 units. If the lines before the first sentence are longer in total, they are ordinary text.
const MAX_FRONT_MATTER_LENGTH = 300

const frontMatters = new WeakMap<Passage, string>()

function cachedFrontMatter(passage: Passage): string {
  const frontMatter = frontMatters.get(passage) ?? frontMatterOf(passage)
  frontMatters.set(passage, frontMatter)
  return frontMatter
}

/**
 * A letterhead with the lines between it and the first sentence. They name the document, as its title does. Empty if there is none.
 */
function frontMatterOf({ text }: Passage): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  if (!isLetterhead(lines[0] ?? '')) return ''
  const end = lines.findIndex((line) => endsStatement(line) || BULLET.test(line) || line.includes('|'))
  const frontMatter = lines.slice(0, Math.max(0, end)).join('\n')
  return frontMatter.length <= MAX_FRONT_MATTER_LENGTH ? frontMatter : ''
}

const MIN_HEAD_FIELDS = 2
// In UTF-16 units. A longer value is text of the document.
const MAX_FIELD_LENGTH = 100

/**
 * The fields at the head of a report, a record or a mail ("Date: 18 April", "Place: lead wall"), below its title. They hold for all of
 * the document, as its title does. Empty if there are fewer than two, or if the lines are turns of a conversation.
 */
function headFieldsOf(
  { text, document_id, document_title: title }: Passage,
  passages: readonly FoundPassage[],
): string {
  if (turnsIn(text).length > 0) return ''
  const lines = text.split('\n').map((line) => line.trim())
  const start = lines.findIndex((line) => line !== '' && line.replace(/^#+\s*/, '') !== title)
  const head = start < 0 ? [] : lines.slice(start)
  const firstText = head.findIndex((line) => line !== '' && !isField(line))
  const hasLater = passages.some(({ passage }) => passage.document_id === document_id && passage.chunk_no > 0)
  // A document of nothing but fields says all that it says in them.
  const end = firstText < 0 && hasLater ? head.length : Math.max(0, firstText)
  const fields = head.slice(0, end).filter((line) => line !== '')
  return fields.length < MIN_HEAD_FIELDS ? '' : fields.join('\n')
}

const labelOf = (field: string): string =>
  attributesOf(field)
    .map(({ header }) => header)
    .join('\n')

const isField = (line: string): boolean => line.length <= MAX_FIELD_LENGTH && isAttribute(line)

const endsStatement = (line: string): boolean => /[.!?;:。！？][”"’)*]*\s*$/u.test(withoutInitials(line))

/** The text without initials at its end ("S.L."), whose full stop does not end a sentence. */
const withoutInitials = (text: string): string => text.replace(/(?<![\p{L}.])(?:\p{Lu}\.)+$/u, '')

// A cache, because several steps of one answer need the pieces of the same passages: the search for amendments, the selection of
// quotes.
const piecesByPassage = new WeakMap<FoundPassage, { key: string; pieces: Evidence[] }>()

interface Surroundings {
  /** The column names at the end of the previous passage, if a table is split between the two passages. */
  columnNames: readonly string[]
  frontMatter: string
  /** The fields at the head of the document, a line each. */
  fields: string
  /** Whether a later passage of the document was also found. */
  hasLaterPassage: boolean
}

function cachedPieces(foundPassage: FoundPassage, surroundings: Surroundings): Evidence[] {
  const key = JSON.stringify(surroundings)
  const cached = piecesByPassage.get(foundPassage)
  if (cached?.key === key) return cached.pieces
  const pieces = piecesOf(foundPassage, surroundings)
  piecesByPassage.set(foundPassage, { key, pieces })
  return pieces
}

function piecesOf(
  foundPassage: FoundPassage,
  { columnNames, frontMatter, fields, hasLaterPassage }: Surroundings,
): Evidence[] {
  const { passage } = foundPassage
  const { rows, textWithoutTables: prose } = tableRows(passage.text, columnNames)
  const textWithoutCode = withoutFencedCode(prose)
  const titles = `${passage.document_title}\n${fileNameOf(passage)}\n${frontMatter}`
  const contextTerms = textTerms(`${titles}\n${passage.heading}`, passage.language)
  const titleTerms = textTerms(titles, passage.language)
  const fieldTerms = textTerms(fields, passage.language)
  const headFields = new Set(fields.split('\n'))
  const passageTerms = termsOfPassage(passage)
  const lists = listsIn(textWithoutCode, innermostHeading(passage) || passage.document_title)
  const turns = turnsIn(textWithoutCode)
  const turnAt = (at: number): Turn | undefined => turns.findLast(({ start, end }) => start <= at && at < end)
  const { passageHeading, headingAt, isQuestionAt } =
    turns.length > 0 ? sectionsOfTurns(textWithoutCode, passage, turns) : sectionsOf(textWithoutCode, passage)
  const statements = sentences(textWithoutCode).filter(
    ({ text, start }) => !isQuestionAt(start) && isStatement(text, passage, headingAt(start)),
  )
  // A first passage without a sentence is front matter as a whole if a later passage was found too.
  const frontMatterEnd =
    passage.chunk_no === 0 ? endOfFrontMatter(statements, hasLaterPassage ? textWithoutCode.length : 0) : 0
  const paragraphs = paragraphsIn(textWithoutCode, statements, { headingAt, turnAt })
  const sentenceEvidence = statements.map(({ text, start }): Evidence => {
    const headingAbove = headingAt(start)
    const paragraph = paragraphs.get(start)
    const turn = turnAt(start)
    const isOfRecord = !turn && headingAbove.text !== passage.document_title && isAttribute(text)
    return {
      foundPassage,
      text,
      ownTerms: textTerms(text, passage.language),
      // The name of a record counts for each of its lines, the name of a speaker for each sentence of the turn.
      headerTerms: turn
        ? textTerms(withWordsOfName(turn.speaker), passage.language)
        : isOfRecord
          ? headingAbove.terms
          : noTerms(passage.language),
      contextTerms,
      headingAbove,
      titleTerms,
      fieldTerms,
      passageTerms,
      ...(passage.chunk_no === 0 &&
        headFields.has(text.trim()) && { fieldLabel: textTerms(labelOf(text), passage.language) }),
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
        listEvidence(list, foundPassage, {
          contextTerms,
          titleTerms,
          fieldTerms,
          passageTerms,
          headingAbove: headingAt(list.start),
        }),
    ),
    ...rows
      .filter(({ cells }) => cells.length > 1)
      .map((row) =>
        rowEvidence(row, foundPassage, {
          contextTerms,
          titleTerms,
          fieldTerms,
          passageTerms,
          headingAbove: passageHeading,
        }),
      ),
  ]
}

/**
 * The offset of the first sentence or list item of a document. 0 if it is after MAX_FRONT_MATTER_LENGTH, because then the document
 * has no front matter.
 * @param fallback the offset to use if the document has neither a sentence nor a list item
 */
function endOfFrontMatter(statements: readonly Sentence[], fallback: number): number {
  const first = statements.find(({ text }) => endsStatement(text) || BULLET.test(text))
  const start = first?.start ?? fallback
  return start <= MAX_FRONT_MATTER_LENGTH ? start : 0
}

/**
 * Maps the offset of each sentence to the sentences of its paragraph or turn. Each list item begins a paragraph. Attributes of
 * records are left out.
 */
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

/** Whether a text begins with two words in capitals and does not end like a sentence: "CITY OF ARDLOW Waste office Notice 12". */
const isLetterhead = (text: string): boolean =>
  beginsInCapitals(text.slice(0, CAPITALS_CHECK_LENGTH)) && !endsStatement(text)

/** Whether the first two words are in capitals. Short words such as "OF" and "&" are skipped after the first. */
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

/** Sections of a conversation: the question of one turn is the heading of the turn that answers it. */
function sectionsOfTurns(text: string, passage: Passage, turns: readonly Turn[]): Sections {
  const passageHeading = headingOf(innermostHeading(passage) || passage.document_title, passage)
  const replies = repliesIn(text, turns).map((reply) => ({
    ...reply,
    headingAbove: headingOf(reply.question, passage),
  }))
  const questions = sentences(text).filter(({ text: sentence }) => /[?？؟]["”’*)]*$/u.test(sentence.trim()))
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
  foundPassage: FoundPassage,
  context: Pick<Evidence, 'contextTerms' | 'headingAbove' | 'titleTerms' | 'fieldTerms' | 'passageTerms'>,
): Evidence {
  const { language, text } = foundPassage.passage
  // Without a lead of its own, a list has the heading as its lead, which is counted as the heading above the list.
  const lead = list.hasLead ? textTerms(list.lead, language) : noTerms(language)
  const items = list.items.map((item) => combineTerms(lead, textTerms(item, language)))
  return {
    foundPassage,
    text: text.slice(list.start, list.end),
    list,
    items,
    ownTerms: textTerms([...(list.hasLead ? [list.lead] : []), ...list.items].join('\n'), language),
    headerTerms: lead,
    ...context,
  }
}

function rowEvidence(
  row: { line: string; cells: Cell[] },
  foundPassage: FoundPassage,
  context: Pick<Evidence, 'contextTerms' | 'headingAbove' | 'titleTerms' | 'fieldTerms' | 'passageTerms'>,
): Evidence {
  const { language } = foundPassage.passage
  const joinCells = (part: 'header' | 'text'): string => row.cells.map((cell) => cell[part]).join('\n')
  return {
    foundPassage,
    text: row.line,
    cells: row.cells,
    ownTerms: textTerms(joinCells('text'), language),
    headerTerms: textTerms(joinCells('header'), language),
    ...context,
  }
}

// The salutation and the closing of a letter: "Dear Ms Weber,", "Kind regards". They are not statements.
const SALUTATION_OR_CLOSING =
  /^(?:dear|hello|hi|good (?:morning|afternoon|day)|sehr geehrte[rns]?|liebe[rs]?|hallo|guten (?:tag|morgen)|bonjour|chère?s?|madame|monsieur|estimad[oa]s?|querid[oa]s?|hola|(?:kind|best|warm|many)(?:est)? (?:regards|wishes)|yours (?:sincerely|faithfully|truly)|mit freundlichen|(?:viele|beste|herzliche|freundliche) grüße|cordialement|bien à vous|veuillez agréer|atentamente|un saludo|saludos)(?![\p{L}])[^.?!;]{0,80}[,!.:]?$/iu

/**
 * Whether a text is a statement, and not a heading, a question, a page number or a label. Below a question even "No." is a
 * statement.
 */
function isStatement(text: string, passage: Passage, { text: heading }: SectionHeading): boolean {
  // "It answers four questions: what is this …?" is a statement, because only a part of it is a question.
  const isOnlyQuestion = /^[^:：]*[?？؟]["”’*]*$/.test(text)
  if (isOnlyQuestion || SALUTATION_OR_CLOSING.test(text.trim())) return false
  const headings = [passage.document_title, ...passage.heading.split(' > ')].map((heading) => heading.trim())
  const withoutMarkup = text.replace(/^#+\s*/, '')
  if (headings.includes(withoutMarkup)) return false
  const isBelowQuestion = /[?？؟]$/.test(heading)
  return isBelowQuestion || isAttribute(withoutMarkup) || isLongEnough(withoutMarkup)
}

const isLongEnough = (text: string): boolean =>
  [...words(text)].flatMap(({ raw }) => wordsOf(raw)).length >= MIN_STATEMENT_WORDS ||
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]{4}/u.test(text)

/**
 * Whether numbered steps are those that the question asks for. Heading, title and lead must cover MIN_STEPS_HEADING_COVERAGE of its
 * keywords, and together with the steps MIN_HEADING_COVERAGE.
 */
const areRequestedSteps = (
  keywords: readonly Keyword[],
  above: readonly TextTerms[],
  steps: TextTerms,
): boolean => {
  const contentKeywords = keywords.filter(({ word, isTopic }) => !isTopic && !isTypeWord('steps', word))
  return (
    contentKeywords.length > 0 &&
    coverage(contentKeywords, above) >= MIN_STEPS_HEADING_COVERAGE &&
    coverage(contentKeywords, [...above, steps]) >= MIN_HEADING_COVERAGE
  )
}

/** Whether the question names nothing but the date of a record and other fields of it: "What happened on 18 April?" */
function areFieldsOf(questionKeywords: readonly Keyword[], fieldTerms: TextTerms): boolean {
  const keywords = questionKeywords.filter(({ isGeneric }) => !isGeneric)
  return keywords.some(({ word }) => /\d/.test(word)) && coverage(keywords, [fieldTerms]) === 1
}

// The share of the question that a heading must cover together with the title and the headings above it.
const MIN_HEADING_COVERAGE = 0.6
// The share of the keywords missing in the title that the heading must cover alone.
const MIN_OWN_HEADING_COVERAGE = 0.5
// The share of the question that the heading, the title and the lead of numbered steps must cover without the steps.
const MIN_STEPS_HEADING_COVERAGE = 0.4
// The share of the heading's own terms that must be in the question.
const MIN_HEADING_TERMS_IN_QUESTION = 0.6

/**
 * Whether the text below the heading is the answer. Either the heading is nearly the same as the question ("Can I bring my dog?"
 * above "Yes, on Fridays."), or the evidence is in the part of a document that the question names by number or title.
 */
export function matchesHeading(
  {
    contextTerms,
    titleTerms,
    fieldTerms,
    headerTerms,
    list,
    ownTerms,
    headingAbove: { text: heading, terms },
    foundPassage: { passage },
    text,
    fieldLabel,
  }: Evidence,
  {
    keywords: questionKeywords,
    part,
    type,
  }: { keywords: readonly Keyword[]; part?: string | undefined; type?: AnswerType },
): boolean {
  if (fieldLabel) return false
  if (part !== undefined)
    return isPart(heading, part, passage.language) || (/^\d/.test(part) && isClause(text, part))
  if (
    type === 'steps' &&
    list?.isOrdered &&
    areRequestedSteps(questionKeywords, [terms, contextTerms, headerTerms], ownTerms)
  )
    return true
  // An everyday word that no document contains need not be in the heading: without "rules", "Safety" matches "What are the safety
  // rules?".
  const keywords = questionKeywords.filter(({ isInWorkspace, isGeneric }) => isInWorkspace || !isGeneric)
  if (!keywords.some(({ weight }) => weight > 0)) return false
  if (type === 'any' && areFieldsOf(keywords, fieldTerms)) return true
  const headingTermsInQuestion = [...terms.terms].filter((term) =>
    keywords.some(
      (keyword) => keyword.forms.get(terms.language) === term || isSynonymIn(keyword, term, terms),
    ),
  )
  // In "The recommendations of the estuary report" the title covers "estuary report", so the heading must cover "recommendations" only.
  const keywordsNotInTitle = keywords.filter((keyword) => !containsKeyword(titleTerms, keyword))
  const headingCoverage = coverage(keywordsNotInTitle.length > 0 ? keywordsNotInTitle : keywords, [terms])
  // A year or a single everyday word in common is not enough, because any heading may contain it. It is enough if the heading
  // covers all keywords.
  const isSpecific = (): boolean =>
    headingCoverage === 1 ||
    headingTermsInQuestion.filter((term) => /\p{L}/u.test(term)).length > 1 ||
    keywords.some(
      (keyword) => !keyword.isGeneric && /\p{L}/u.test(keyword.word) && containsKeyword(terms, keyword),
    )
  return (
    headingTermsInQuestion.length > 0 &&
    isSpecific() &&
    headingTermsInQuestion.length >= MIN_HEADING_TERMS_IN_QUESTION * terms.terms.size &&
    headingCoverage >= MIN_OWN_HEADING_COVERAGE &&
    coverage(keywords, [terms, contextTerms]) >= MIN_HEADING_COVERAGE
  )
}
