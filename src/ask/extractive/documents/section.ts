// Sections ("What does section 4 say?", "What is under Termination?"): found by number or heading and quoted from the
// beginning. English, German, French, Spanish.

import { contentTerms } from '../../../language/analyse.ts'
import type { Passage } from '../../../search/passage.ts'
import { innermostHeading } from '../../passage.ts'
import { CLAUSE_WORDS, clausePattern, statesAmendment } from '../amendments.ts'
import type { FoundPassage } from '../evidence.ts'
import { textTerms } from '../keywords.ts'
import { escapeMarkdown } from '../quote.ts'
import type { Wording } from '../wording.ts'
import {
  type DocumentReader,
  type DocumentSearch,
  type Line,
  lineOf,
  NAMING_SHARE,
  type Outline,
  quotableIn,
  rankByTitle,
  readWholeDocument,
} from './outline.ts'

const ASKS =
  /^[¿\s]*(?:please |bitte )?(?:what (?:does|do|is|are|stands?|did)|what['’]s|quote|read|show|give|summari[sz]e|explain|was|zeige?|zitiere|lies|fasse|que|qu['’]|qu['’]est-ce|cite[rz]?|lis(?:ez)?|montre[rz]?|qué|cita|lee|muestra)(?![\p{L}])/iu
const NUMBERED = new RegExp(
  `(?<![\\p{L}])(?:${CLAUSE_WORDS})\\s*(?:no\\.?|nr\\.?|n[º°o]\\.?)?\\s*(\\d{1,3}(?:\\.\\d{1,3}){0,3})(?![\\d%€$£]|\\.\\d|,\\d)`,
  'iu',
)
// "The cheapest item on the receipt" is no part of a document: what has a heading is called by these.
const PART_WORDS =
  'sections?|clauses?|paragraphs?|chapters?|articles?|abschnitte?s?|kapitels?|artikels?|klauseln?|chapitres?|sección|cláusulas?|capítulos?|artículos?|apartados?'
const TITLED = new RegExp(
  String.raw`(?:(?:(?:is|are|stands?|says?|steht|sagt|dit|dice|hay|y a-t-il)\s+)(?:(?:written|said|there)\s+)?(?:under|unter|sous|bajo)|(?:${PART_WORDS})\s+(?:on|about|called|titled|headed|named|über|zu|zur|zum|sur|sobre))\s+(?:(?:the|heading|section|der|die|das|dem|den|überschrift|le|la|les|titre|el|los|las|título)\s+)*["“”„«»'‘]?([\p{L}\p{N}][\p{L}\p{N} &/’'-]{1,60}?)["“”„«»'’]?(?=\s*(?:[?.!]|$|\s(?:in|of|im|des|der|von|say|says|said|dans|du|de|en|del)(?![\p{L}])))`,
  'iu',
)

export interface SectionRequest {
  /** `4`, `12.1`. */
  number?: string
  /** The words of the heading. */
  heading?: string
  /** The rest of the question, which may name the document. */
  rest: string
}

/** The section that the question asks for; undefined when it asks for a fact. */
export function sectionAsked(question: string): SectionRequest | undefined {
  if (!ASKS.test(question)) return undefined
  const numbered = NUMBERED.exec(question)
  const titled = numbered ? null : TITLED.exec(question)
  const found = numbered ?? titled
  if (!found?.[1]) return undefined
  const rest = question.replace(found[0], ' ').replace(ASKS, ' ')
  return numbered ? { number: found[1], rest } : { heading: found[1].trim(), rest }
}

const MOST_DOCUMENTS = 4
const MOST_LINES = 8
const MOST_AMENDMENTS = 4
// Documents read to look for the section, which need not be near a passage found.
const MOST_TRIED = 8

/** The section in the documents named, else in the first documents that have it; undefined when none has. */
export async function quoteSection(
  tools: DocumentReader,
  asked: SectionRequest,
  { found, keywords, wording }: DocumentSearch,
): Promise<Outline | undefined> {
  const documents = rankByTitle(found, keywords)
  const named = documents.filter(({ share }) => share >= NAMING_SHARE && share === documents[0]?.share)
  const sections: Line[][] = []
  const amendments: Line[] = []
  for (const { id } of (named.length ? named : inOrder(found, documents)).slice(0, MOST_TRIED)) {
    const passages = await readWholeDocument(tools, id)
    const lines = linesOf(passages, asked)
    if (lines.length && sections.length < MOST_DOCUMENTS) sections.push(lines)
    else amendments.push(...amendmentsIn(passages, asked, named.length > 0))
  }
  return sections.length ? outlineOf(sections, amendments, wording) : undefined
}

/** The sections' quotes, amendments first. */
function outlineOf(sections: Line[][], amendments: Line[], wording: Wording): Outline {
  const room = Math.max(2, Math.floor(MOST_LINES / sections.length))
  const [amendment] = amendments
  const lead = amendment
    ? wording.amendment(escapeMarkdown(amendment.passage.document_title))
    : sections.length > 1
      ? wording.sections(sections.length)
      : wording.found
  return {
    lead,
    lines: [...amendments, ...sections.flatMap((lines) => lines.slice(0, room))],
    isTruncated: sections.some((lines) => lines.length > room),
  }
}

/** Sentences that amend the clause asked for: "In clause 12.1 the words … are replaced by …". */
function amendmentsIn(passages: readonly Passage[], { number }: SectionRequest, isNamed: boolean): Line[] {
  // For "section 4" without a document, an amendment could belong to any document.
  if (number === undefined || !(number.includes('.') || isNamed)) return []
  const clause = clausePattern(number)
  const isAmendment = (text: string): boolean => clause.test(text) && statesAmendment(text)
  return quotableIn(passages)
    .flatMap((piece) =>
      piece.list
        ? piece.list.items.filter(isAmendment).map((item) => itemLine(item, piece.found.passage))
        : isAmendment(piece.text)
          ? lineOf(piece)
          : [],
    )
    .slice(0, MOST_AMENDMENTS)
}

const itemLine = (item: string, passage: Passage): Line => ({
  quote: `“${escapeMarkdown(item)}”`,
  items: [],
  passage,
})

/** The documents in the order in which search found them. */
const inOrder = <D extends { id: string }>(found: readonly FoundPassage[], documents: readonly D[]): D[] => {
  const order = [...new Set(found.map(({ passage }) => passage.document_id))]
  return documents.toSorted((a, b) => order.indexOf(a.id) - order.indexOf(b.id))
}

function linesOf(passages: readonly Passage[], asked: SectionRequest): Line[] {
  const { number } = asked
  const under = passages.filter((passage) =>
    number === undefined
      ? isTitled(passage, asked.heading ?? '')
      : isNumbered(innermostHeading(passage), number),
  )
  if (under.length)
    return quotableIn(under).map((piece) => lineOf(piece, innermostHeading(piece.found.passage)))
  return number?.includes('.') ? quoteClause(passages, number) : []
}

const isNumbered = (heading: string, number: string): boolean =>
  new RegExp(
    `^(?:(?:${CLAUSE_WORDS})\\s*)?${number.replaceAll('.', '\\.')}(?:\\s*[.):–—-]|\\s+\\p{L}|$)(?!\\d)`,
    'iu',
  ).test(heading)

/** Whether the passage has the heading asked for; it may also have a number and two more words. */
function isTitled(passage: Passage, asked: string): boolean {
  const heading = innermostHeading(passage).replace(
    new RegExp(`^(?:${CLAUSE_WORDS})?\\s*[\\d.]+[.)]?\\s*[–—-]?`, 'iu'),
    '',
  )
  const wanted = contentTerms(asked, passage.language)
  const { terms } = textTerms(heading, passage.language)
  return wanted.length > 0 && wanted.every((term) => terms.has(term)) && terms.size <= wanted.length + 2
}

/** Clause 12.1 in a text with numbered clauses, up to the next one. */
function quoteClause(passages: readonly Passage[], number: string): Line[] {
  const one = new RegExp(`(?:^|\\s)(${number.replaceAll('.', '\\.')})[.)]?\\s+(?=\\p{L})`, 'u')
  const next = /\s\d{1,3}(?:\.\d{1,3})+[.)]?\s+(?=\p{Lu})/u
  for (const passage of passages) {
    const at = one.exec(passage.text)
    if (!at || !isNumbered(innermostHeading(passage), number.split('.')[0] ?? '')) continue
    const from = passage.text.slice(at.index).trimStart()
    const end = from.slice(number.length).search(next)
    const text = (end < 0 ? from : from.slice(0, number.length + end)).slice(0, 1000)
    return [{ label: innermostHeading(passage), quote: `“${escapeMarkdown(text)}”`, items: [], passage }]
  }
  return []
}
