// Listings ("Which decisions were taken on 12 March?"): all things that a document numbers ("Decision 2026-07. …") or
// lists under a heading that names them, and not only those that share most words with the question. English, German,
// French, Spanish.

import { contentTerms } from '../../../language/analyse.ts'
import type { Passage } from '../../../search/passage.ts'
import { innermostHeading } from '../../passage.ts'
import type { FoundPassage } from '../evidence.ts'
import { contains, type Keyword, passageTerms, textTerms } from '../keywords.ts'
import { escapeMarkdown } from '../quote.ts'
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

const PLURAL =
  /(?<![\p{L}])(?:which|what|list(?: all)?|name|show(?: me)?(?: all)?|welche|nenne|liste|quel(?:le)?s|listez|qué|cuáles|lista)\s+(?:(?:are|were|sind|waren|wurden|sont|étaient|son|fueron|the|all|alle|die|der|les|los|las)\s+)*(\p{L}{4,})(?![\p{L}])/iu

/** The things that a question asks for. */
export interface ListRequest {
  noun: string
  /**
   * The question's verbs, which the items need not contain: decisions are "taken", "adopted" or "concern" something.
   */
  verbs: string[]
  /** A listing needs two items; for "what was decided" one is enough. */
  leastItems: number
}

const AUXILIARY =
  'were|are|was|is|have|has|had|been|did|do|wurden|sind|hat|haben|ont|été|sont|fueron|se|han|sido'
const CLOSES = /(?<![\p{L}])(?:wurden|sind|hat|haben)(?![\p{L}]).*?(\p{L}+)[\s?.!]*$/iu

// "What was decided?" asks for decisions.
const DECIDED: readonly { asks: RegExp; noun: string }[] = [
  { asks: /^what (?:\p{L}+ ){0,6}?(decided?|resolved?)(?![\p{L}])/iu, noun: 'decisions' },
  { asks: /^was (?:\p{L}+ ){0,6}?.*?(beschlossen|entschieden)(?![\p{L}])/iu, noun: 'Beschlüsse' },
  { asks: /^(?:qu['’]|que ).*?(décidée?s?)(?![\p{L}])/iu, noun: 'décisions' },
  {
    asks: /^[¿\s]*qué (?:\p{L}+ ){0,6}?(acordó|acordaron|decidió|decidieron)(?![\p{L}])/iu,
    noun: 'acuerdos',
  },
]

/** Undefined for a question that asks for no listing. */
export function listAsked(question: string): ListRequest | undefined {
  for (const { asks, noun } of DECIDED) {
    const verb = asks.exec(question)?.[1]
    if (verb) return { noun, verbs: [verb.toLowerCase()], leastItems: 1 }
  }
  const found = PLURAL.exec(question)
  const noun = found?.[1]
  if (!found || noun === undefined) return undefined
  const verbAfter = new RegExp(`^\\s+(?:(?:${AUXILIARY})\\s+)*(\\p{L}+)`, 'iu')
  const following = verbAfter.exec(question.slice(found.index + found[0].length))?.[1]
  const closing = CLOSES.exec(question)?.[1]
  const verbs = [following, closing].flatMap((verb) => (verb ? [verb.toLowerCase()] : []))
  return { noun, verbs, leastItems: LEAST_ITEMS }
}

const MOST_DOCUMENTS = 3
const MOST_LINES = 20
const LEAST_ITEMS = 2

interface Item {
  line: Line
  /** Verbatim; searched for the keywords. */
  text: string
}

/** The listing of the first document that has one and matches the question; undefined when none does. */
export async function quoteListing(
  tools: DocumentReader,
  { noun, verbs, leastItems }: ListRequest,
  { found, keywords, wording }: DocumentSearch,
): Promise<Outline | undefined> {
  for (const id of documentsWith(found, noun, keywords).slice(0, MOST_DOCUMENTS)) {
    const passages = await readWholeDocument(tools, id)
    const all = itemsIn(passages, noun)
    const own = keywords.filter(({ word }) => !verbs.includes(word.toLowerCase()))
    const items = all.length < leastItems ? [] : matchingItems(all, own, noun, passages)
    if (items.length === 0) continue
    const lines = items.map(({ line }) => line)
    return { lead: wording.found, lines: lines.slice(0, MOST_LINES), isTruncated: lines.length > MOST_LINES }
  }
  return undefined
}

/** Documents that the question names, then those with such items in the passages found; each in the order found. */
function documentsWith(found: readonly FoundPassage[], noun: string, keywords: readonly Keyword[]): string[] {
  const named = rankByTitle(found, keywords).filter(({ share }) => share >= NAMING_SHARE)
  const near = found.filter(({ passage }) => itemsIn([passage], noun).length > 0)
  return [...new Set([...named.map(({ id }) => id), ...near.map(({ passage }) => passage.document_id)])]
}

function itemsIn(passages: readonly Passage[], noun: string): Item[] {
  const numbered = passages.flatMap((passage) => numberedIn(passage, noun))
  if (numbered.length) return numbered
  const under = passages.filter((passage) => isCalled(innermostHeading(passage), noun, passage))
  return quotableIn(under)
    .filter(({ list }) => list)
    .flatMap((list) =>
      (list.list?.items ?? []).map((text) => ({
        line: { ...lineOf({ ...list, list: { ...EMPTY, lead: text } }), items: [] },
        text,
      })),
    )
}
const EMPTY = { items: [], start: 0, end: 0 }

const isCalled = (text: string, noun: string, { language }: Passage): boolean => {
  const [called, ...more] = contentTerms(text.replace(/^[\d.\s]+/, ''), language)
  return called !== undefined && more.length === 0 && contentTerms(noun, language)[0] === called
}

// "Decision 2026-07.", "Beschluss Nr. 3:", "Motion 1:", "Decision:" at the start of a line or a sentence.
const NUMBERED =
  /(?<=^|[.!?:]\s{1,3}|\n\s{0,8}(?:[-*•]\s{1,3})?)(\p{Lu}\p{L}{2,40})(?::|\s{1,3}(?:(?:no|nr|n°)\.?\s?)?\d[\w/.-]{0,40}?[.:)]?)\s{1,3}(?=\S)/gu
const LONGEST = 600

/** The numbered items, each up to the next one or to the end of its line. */
function numberedIn(passage: Passage, noun: string): Item[] {
  const starts = [...passage.text.matchAll(NUMBERED)].filter(([, word]) =>
    isCalled(word ?? '', noun, passage),
  )
  return starts.map(({ index }, i) => {
    const line = passage.text.indexOf('\n', index)
    const end = Math.min(
      starts[i + 1]?.index ?? Number.POSITIVE_INFINITY,
      line < 0 ? Number.POSITIVE_INFINITY : line,
    )
    const text = passage.text.slice(index, Math.min(end, index + LONGEST)).trim()
    return { line: { quote: `“${escapeMarkdown(text)}”`, items: [], passage }, text }
  })
}

/**
 * The items that contain all keywords other than the noun that are not already in the document's title or beginning.
 */
function matchingItems(
  items: Item[],
  keywords: readonly Keyword[],
  noun: string,
  passages: readonly Passage[],
): Item[] {
  const [first] = passages
  if (!first) return []
  const { language } = first
  const named = new Set(contentTerms(noun, language))
  const about = passageTerms(first)
  const open = keywords.filter(
    (keyword) => !named.has(keyword.forms.get(language) ?? '') && !contains(about, keyword),
  )
  return items.filter(({ text }) => {
    const own = textTerms(text, language)
    return open.every((keyword) => contains(own, keyword))
  })
}
