// Summaries ("Summarize the handbook"): without a language model nothing is paraphrased, so each part of the document
// is shown by its heading and its first statement. English, German, French, Spanish.

import type { Passage } from '../../search/passage.ts'
import type { StepReport, Tools } from '../tools/tools.ts'
import { type Evidence, evidenceIn } from './evidence.ts'
import { coverage, type Keyword, questionKeywords, type TextTerms } from './keywords.ts'
import type { RetrievalState } from './retrieval.ts'
import { withoutNumber } from './text-structure.ts'

const SUMMARY =
  /(?<![\p{L}])(?:summari[sz]e|sum up|(?:an? |the )?(?:(?:short|brief|quick) )?(?:summary|overview|outline|gist|key (?:points|terms|facts))(?: of)?|tl;?dr|fassen?(?= .*(?:zusammen))|(?:eine[nr]? |die )?(?:kurze[nr]? )?(?:zusammenfassung|überblick|übersicht)(?: über| von| zu)?|worum geht es in|wovon handelt|résume[rz]?|(?:un |le )?(?:bref )?résumé d(?:e|u|es)|de quoi (?:parlent?|traitent?)|resum[ea](?:n|r|me)?|(?:un |el )?(?:breve )?resumen del?|de qué tratan?)(?![\p{L}])/iu
const ABOUT = /^what (?:is|are) (.{3,80}) about\s*\?*$/iu
const AROUND =
  /(?<![\p{L}])(?:please|can you|could you|give(?: me)?|write|make|bitte|zusammen|gib(?: mir)?|schreibe?|erstelle|peux-tu|pouvez-vous|donne[rz]?(?:-moi)?|fais|haz(?:me)?|dame|puedes)(?![\p{L}])/giu

/** What to summarize, in the question's words; undefined for a question that asks for something else. */
export function summaryAsked(question: string): string | undefined {
  const about = ABOUT.exec(question)?.[1]
  if (about) return about
  if (!SUMMARY.test(question)) return undefined
  return question.replace(SUMMARY, ' ').replace(AROUND, ' ').replace(/\s+/g, ' ').trim()
}

const MAX_STATEMENTS = 14
// A title that contains this share of the keywords names its document.
const NAMING_SHARE = 0.5
// What the beginning says besides names the document less surely.
const BEGINNING_SHARE = 0.6
// 250 passages are about a hundred pages of text.
const PASSAGES_A_READ = 50
const MAX_PASSAGES = 250

export interface Summary {
  title: string
  /** The first statement below each heading. */
  statements: Evidence[]
}

/** The parts of the document that the question asks to summarize; undefined where it asks for none, or names none. */
export async function* summaryOf(
  tools: Pick<Tools, 'readDocument' | 'outOfTime'>,
  { question, topic, statistics, found }: RetrievalState,
): AsyncGenerator<StepReport, Summary | undefined> {
  const asked = summaryAsked(question.text)
  if (asked === undefined) return undefined
  const text = `${asked} ${topic}`
  // An everyday word that no document has names none.
  const keywords = questionKeywords({ text, language: question.language }, statistics).filter(
    ({ isGeneric, isKnown }) => isKnown || !isGeneric,
  )
  const titles = new Map(evidenceIn([...found.values()]).map((piece) => [piece.found.passage, piece]))
  const [named] = [...titles]
    .map(([passage, { title, whole }]) => ({ passage, share: namingShare(keywords, title, whole, passage) }))
    .sort((a, b) => b.share - a.share || a.passage.document_title.length - b.passage.document_title.length)
  if (!named || named.share < NAMING_SHARE) return undefined
  const { document_id, document_title: title } = named.passage
  const passages: Passage[] = []
  while (passages.length < MAX_PASSAGES && !tools.outOfTime()) {
    const page = await tools.readDocument(document_id, { from: passages.length }, PASSAGES_A_READ)
    passages.push(...page)
    if (page.length < PASSAGES_A_READ) break
  }
  const statements = firstStatements(passages)
  yield { type: 'read', label: 'Reading the document', result_count: statements.length }
  return statements.length > 0 ? { title, statements } : undefined
}

/** The share of the keywords in a title; where it has some of them, in the beginning of the document too, which often names it. */
function namingShare(
  keywords: readonly Keyword[],
  title: TextTerms,
  whole: TextTerms,
  { chunk_no }: Passage,
): number {
  if (keywords.length === 0) return 0
  const named = coverage(keywords, [title])
  return named > 0 && chunk_no === 0
    ? Math.max(named, BEGINNING_SHARE * coverage(keywords, [title, whole]))
    : named
}

/**
 * The first statements under every heading, in reading order: as many of each as there is room for. Beside a document's own summary,
 * which is shown whole, the first of each.
 */
function firstStatements(passages: readonly Passage[]): Evidence[] {
  const sections = new Map<string, Evidence[]>()
  for (const piece of evidenceIn(passages.map((passage) => ({ passage, relevance: 1, rank: 0 })))) {
    if (piece.isLetterhead || MAIL_HEADER.test(piece.text)) continue
    const heading = piece.under.text
    sections.set(heading, [...(sections.get(heading) ?? []), piece])
  }
  const own = [...sections].find(([heading]) => OWN_SUMMARY.test(withoutNumber(heading)))?.[0]
  const most = Math.max(
    1,
    Math.min(MAX_OF_A_SECTION, Math.floor(MAX_STATEMENTS / Math.max(1, sections.size))),
  )
  return [...sections]
    .flatMap(([heading, pieces]) => {
      if (own !== undefined)
        return heading === own ? pieces : pieces.filter(({ cells }) => !cells).slice(0, 1)
      // A sentence says more than a row of figures.
      const statements = pieces.filter(({ cells }) => !cells)
      return (statements.length > 0 ? statements : pieces).slice(0, most)
    })
    .slice(0, MAX_STATEMENTS)
}

const MAX_OF_A_SECTION = 6
// Of RFC 5322: who wrote to whom is not what the message says.
const MAIL_HEADER = /^(?:from|to|cc|bcc|date|subject|reply-to|sent|attachments?): /iu
const OWN_SUMMARY =
  /^(?:(?:executive |management )?summary|abstract|overview|in (?:brief|short)|key (?:points|findings)|zusammenfassung|kurzfassung|überblick|das wichtigste|résumé|en bref|synthèse|resumen(?: ejecutivo)?|síntesis)$/iu
