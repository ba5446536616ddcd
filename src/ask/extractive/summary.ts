// Answers to "Summarize the handbook" without a language model: the first statements of each part of the document are quoted.
// English, German, French, Spanish.

import type { Passage } from '../../search/passage.ts'
import type { StepReport, Tools } from '../tools/tools.ts'
import { type Evidence, evidenceIn } from './evidence.ts'
import { coverage, type Keyword, questionKeywords, type TextTerms } from './keywords.ts'
import type { RetrievalState } from './retrieval.ts'
import { withoutNumber } from './text-structure.ts'

const SUMMARY_REQUEST =
  /(?<![\p{L}])(?:summari[sz]e|sum up|(?:an? |the )?(?:(?:short|brief|quick) )?(?:summary|overview|outline|gist|key (?:points|terms|facts))(?: of)?|tl;?dr|fassen?(?= .*(?:zusammen))|(?:eine[nr]? |die )?(?:kurze[nr]? )?(?:zusammenfassung|überblick|übersicht)(?: über| von| zu)?|worum geht es in|wovon handelt|résume[rz]?|(?:un |le )?(?:bref )?résumé d(?:e|u|es)|de quoi (?:parlent?|traitent?)|resum[ea](?:n|r|me)?|(?:un |el )?(?:breve )?resumen del?|de qué tratan?)(?![\p{L}])/iu
const ABOUT_QUESTION = /^what (?:is|are) (.{3,80}) about\s*\?*$/iu
const REQUEST_WORDS =
  /(?<![\p{L}])(?:please|can you|could you|give(?: me)?|write|make|bitte|zusammen|gib(?: mir)?|schreibe?|erstelle|peux-tu|pouvez-vous|donne[rz]?(?:-moi)?|fais|haz(?:me)?|dame|puedes)(?![\p{L}])/giu

/** The subject of a summary, in the words of the question. Undefined if the question does not ask for a summary. */
export function summaryAsked(question: string): string | undefined {
  const about = ABOUT_QUESTION.exec(question)?.[1]
  if (about) return about
  if (!SUMMARY_REQUEST.test(question)) return undefined
  return question.replace(SUMMARY_REQUEST, ' ').replace(REQUEST_WORDS, ' ').replace(/\s+/g, ' ').trim()
}

const MAX_STATEMENTS = 14
// If the title of a document contains this share of the keywords, the question names the document.
const MIN_NAMING_SHARE = 0.5
// Keywords at the beginning of a document count less than those in its title.
const BEGINNING_FACTOR = 0.6
const PASSAGES_PER_READ = 50
// About a hundred pages of text.
const MAX_PASSAGES = 250

export interface Summary {
  title: string
  /** The first statement below each heading. */
  statements: Evidence[]
}

/** The parts of the document that the question asks to summarize. Undefined if it does not ask for a summary or names no document. */
export async function* summaryOf(
  tools: Pick<Tools, 'readDocument' | 'outOfTime'>,
  { question, topic, statistics, foundPassages }: RetrievalState,
): AsyncGenerator<StepReport, Summary | undefined> {
  const subject = summaryAsked(question.text)
  if (subject === undefined) return undefined
  const text = `${subject} ${topic}`
  // An everyday word that no document contains does not name a document.
  const keywords = questionKeywords({ text, language: question.language }, statistics).filter(
    ({ isGeneric, isInWorkspace }) => isInWorkspace || !isGeneric,
  )
  const pieceByPassage = new Map(
    evidenceIn([...foundPassages.values()]).map((piece) => [piece.foundPassage.passage, piece]),
  )
  const [bestMatch] = [...pieceByPassage]
    .map(([passage, { titleTerms, passageTerms }]) => ({
      passage,
      share: namingShare(keywords, titleTerms, passageTerms, passage),
    }))
    .sort((a, b) => b.share - a.share || a.passage.document_title.length - b.passage.document_title.length)
  if (!bestMatch || bestMatch.share < MIN_NAMING_SHARE) return undefined
  const { document_id, document_title: title } = bestMatch.passage
  const passages: Passage[] = []
  while (passages.length < MAX_PASSAGES && !tools.outOfTime()) {
    const page = await tools.readDocument(document_id, { from: passages.length }, PASSAGES_PER_READ)
    passages.push(...page)
    if (page.length < PASSAGES_PER_READ) break
  }
  const statements = firstStatements(passages)
  yield { type: 'read', label: 'Reading the document', result_count: statements.length }
  return statements.length > 0 ? { title, statements } : undefined
}

/** The share of the keywords in a title. If the title contains some of them, the beginning of the document counts too. */
function namingShare(
  keywords: readonly Keyword[],
  title: TextTerms,
  whole: TextTerms,
  { chunk_no }: Passage,
): number {
  if (keywords.length === 0) return 0
  const titleCoverage = coverage(keywords, [title])
  return titleCoverage > 0 && chunk_no === 0
    ? Math.max(titleCoverage, BEGINNING_FACTOR * coverage(keywords, [title, whole]))
    : titleCoverage
}

/**
 * The first statements below each heading, in reading order. Each heading gets the same number, so that they are at most
 * MAX_STATEMENTS together. If the document has a summary of its own, it is quoted as a whole, with only one statement of each other
 * heading.
 */
function firstStatements(passages: readonly Passage[]): Evidence[] {
  const sections = new Map<string, Evidence[]>()
  for (const piece of evidenceIn(passages.map((passage) => ({ passage, relevance: 1, rank: 0 })))) {
    if (piece.isFrontMatter || MAIL_HEADER.test(piece.text)) continue
    const heading = piece.headingAbove.text
    sections.set(heading, [...(sections.get(heading) ?? []), piece])
  }
  const ownSummaryHeading = [...sections].find(([heading]) =>
    SUMMARY_HEADING.test(withoutNumber(heading)),
  )?.[0]
  const maxPerSection = Math.max(
    1,
    Math.min(MAX_PER_SECTION, Math.floor(MAX_STATEMENTS / Math.max(1, sections.size))),
  )
  return [...sections]
    .flatMap(([heading, pieces]) => {
      if (ownSummaryHeading !== undefined)
        return heading === ownSummaryHeading ? pieces : pieces.filter(({ cells }) => !cells).slice(0, 1)
      // A sentence tells the reader more than a row of figures.
      const statements = pieces.filter(({ cells }) => !cells)
      return (statements.length > 0 ? statements : pieces).slice(0, maxPerSection)
    })
    .slice(0, MAX_STATEMENTS)
}

const MAX_PER_SECTION = 6
// Headers of e-mails (RFC 5322) are not part of the message's content.
const MAIL_HEADER = /^(?:from|to|cc|bcc|date|subject|reply-to|sent|attachments?): /iu
const SUMMARY_HEADING =
  /^(?:(?:executive |management )?summary|abstract|overview|in (?:brief|short)|key (?:points|findings)|zusammenfassung|kurzfassung|überblick|das wichtigste|résumé|en bref|synthèse|resumen(?: ejecutivo)?|síntesis)$/iu
