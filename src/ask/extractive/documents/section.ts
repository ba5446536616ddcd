// "What does section 4 say?", "What is under Termination?": a part of a document, found by its number or its heading and
// quoted from its beginning. English, German, French, Spanish.

import { contentTerms } from '../../../language/analyse.ts'
import type { Passage } from '../../../search/passage.ts'
import type { Tools } from '../../tools/tools.ts'
import { CLAUSE_WORDS, clausePattern, saysItChanges } from '../amendments.ts'
import type { Found } from '../evidence.ts'
import type { Part } from '../keywords.ts'
import { profileOf } from '../keywords.ts'
import { escapeMarkdown } from '../quote.ts'
import type { Wording } from '../wording.ts'
import {
  documentsNamed,
  headingOf,
  type Line,
  lineOf,
  type Outline,
  readWhole,
  statementsOf,
} from './outline.ts'

const ASKS =
  /^[¿\s]*(?:please |bitte )?(?:what (?:does|do|is|are|stands?|did)|what['’]s|quote|read|show|give|summari[sz]e|explain|was|zeige?|zitiere|lies|fasse|que|qu['’]|qu['’]est-ce|cite[rz]?|lis(?:ez)?|montre[rz]?|qué|cita|lee|muestra)(?![\p{L}])/iu
const NUMBERED = new RegExp(
  `(?<![\\p{L}])(?:${CLAUSE_WORDS})\\s*(?:no\\.?|nr\\.?|n[º°o]\\.?)?\\s*(\\d{1,3}(?:\\.\\d{1,3}){0,3})(?![\\d%€$£]|\\.\\d|,\\d)`,
  'iu',
)
const TITLED = new RegExp(
  String.raw`(?:(?:(?:is|are|stands?|says?|steht|sagt|dit|dice|hay|y a-t-il)\s+)(?:(?:written|said|there)\s+)?(?:under|unter|sous|bajo)|(?:${CLAUSE_WORDS})\s+(?:on|about|called|titled|headed|named|über|zu|zur|zum|sur|sobre))\s+(?:(?:the|heading|section|der|die|das|dem|den|überschrift|le|la|les|titre|el|los|las|título)\s+)*["“”„«»'‘]?([\p{L}\p{N}][\p{L}\p{N} &/’'-]{1,60}?)["“”„«»'’]?(?=\s*(?:[?.!]|$|\s(?:in|of|im|des|der|von|say|says|said|dans|du|de|en|del)(?![\p{L}])))`,
  'iu',
)

export interface Asked {
  /** `4`, `12.1`. */
  number?: string
  /** Words of a heading. */
  heading?: string
  /** The question without them: what names the document. */
  rest: string
}

/** What part of a document the question asks to see; undefined when it asks for a fact. */
export function sectionAsked(question: string): Asked | undefined {
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
const MOST_CHANGES = 4
// Documents read whole in search of the part: a passage found need not be near it.
const MOST_TRIED = 8
// A document that the question names goes before all others.
const NAMED = 0.5

/** The part asked for in the documents named, else in the first that have it; undefined when none has. */
export async function quoteSection(
  tools: Pick<Tools, 'read' | 'late'>,
  asked: Asked,
  { found, parts, says }: { found: readonly Found[]; parts: readonly Part[]; says: Wording },
): Promise<Outline | undefined> {
  const documents = documentsNamed(found, parts)
  const named = documents.filter(({ share }) => share >= NAMED && share === documents[0]?.share)
  const sections: Line[][] = []
  const changes: Line[] = []
  for (const { id } of (named.length ? named : inOrder(found, documents)).slice(0, MOST_TRIED)) {
    const passages = await readWhole(tools, id)
    const lines = linesOf(passages, asked)
    if (lines.length && sections.length < MOST_DOCUMENTS) sections.push(lines)
    else changes.push(...changing(passages, asked, named.length > 0))
  }
  return sections.length ? outlineOf(sections, changes, says) : undefined
}

/** What changes the part comes first. */
function outlineOf(sections: Line[][], changes: Line[], says: Wording): Outline {
  const room = Math.max(2, Math.floor(MOST_LINES / sections.length))
  const [change] = changes
  const lead = change
    ? says.changes(escapeMarkdown(change.passage.document_title))
    : sections.length > 1
      ? says.sections(sections.length)
      : says.found
  return {
    lead,
    lines: [...changes, ...sections.flatMap((lines) => lines.slice(0, room))],
    cut: sections.some((lines) => lines.length > room),
  }
}

/** Sentences that change the clause asked for: "In clause 12.1 the words … are replaced by …". */
function changing(passages: readonly Passage[], { number }: Asked, isNamed: boolean): Line[] {
  // "Section 4" of no document in particular is changed by nobody.
  if (number === undefined || !(number.includes('.') || isNamed)) return []
  const clause = clausePattern(number)
  const says = (text: string): boolean => clause.test(text) && saysItChanges(text)
  return statementsOf(passages)
    .flatMap((piece) =>
      piece.list
        ? piece.list.items.filter(says).map((item) => itemLine(item, piece.found.passage))
        : says(piece.text)
          ? lineOf(piece)
          : [],
    )
    .slice(0, MOST_CHANGES)
}

const itemLine = (item: string, passage: Passage): Line => ({
  quote: `“${escapeMarkdown(item)}”`,
  items: [],
  passage,
})

/** Without a name the documents stand in the order in which search found them. */
const inOrder = <D extends { id: string }>(found: readonly Found[], documents: readonly D[]): D[] => {
  const order = [...new Set(found.map(({ passage }) => passage.document_id))]
  return documents.toSorted((a, b) => order.indexOf(a.id) - order.indexOf(b.id))
}

function linesOf(passages: readonly Passage[], asked: Asked): Line[] {
  const { number } = asked
  const under = passages.filter((passage) =>
    number === undefined ? isTitled(passage, asked.heading ?? '') : isNumbered(headingOf(passage), number),
  )
  if (under.length) return statementsOf(under).map((piece) => lineOf(piece, headingOf(piece.found.passage)))
  return number?.includes('.') ? clauses(passages, number) : []
}

const isNumbered = (heading: string, number: string): boolean =>
  new RegExp(
    `^(?:(?:${CLAUSE_WORDS})\\s*)?${number.replaceAll('.', '\\.')}(?:\\s*[.):–—-]|\\s+\\p{L}|$)(?!\\d)`,
    'iu',
  ).test(heading)

/** A heading may have its number and two words more than were asked for. */
function isTitled(passage: Passage, asked: string): boolean {
  const heading = headingOf(passage).replace(
    new RegExp(`^(?:${CLAUSE_WORDS})?\\s*[\\d.]+[.)]?\\s*[–—-]?`, 'iu'),
    '',
  )
  const wanted = contentTerms(asked, passage.language)
  const held = profileOf(heading, passage.language).terms
  return wanted.length > 0 && wanted.every((term) => held.has(term)) && held.size <= wanted.length + 2
}

/** Clause 12.1 in a text that numbers its clauses: up to the next of them. */
function clauses(passages: readonly Passage[], number: string): Line[] {
  const one = new RegExp(`(?:^|\\s)(${number.replaceAll('.', '\\.')})[.)]?\\s+(?=\\p{L})`, 'u')
  const next = /\s\d{1,3}(?:\.\d{1,3})+[.)]?\s+(?=\p{Lu})/u
  for (const passage of passages) {
    const at = one.exec(passage.text)
    if (!at || !isNumbered(headingOf(passage), number.split('.')[0] ?? '')) continue
    const from = passage.text.slice(at.index).trimStart()
    const end = from.slice(number.length).search(next)
    const text = (end < 0 ? from : from.slice(0, number.length + end)).slice(0, 1000)
    return [{ label: headingOf(passage), quote: `“${escapeMarkdown(text)}”`, items: [], passage }]
  }
  return []
}
