// "Which decisions were taken on 12 March?": things that a document numbers ("Decision 2026-07. …") or lists under a heading
// that names them, all of them and not the few that share most words with the question. English, German, French, Spanish.

import { contentTerms } from '../../../language/analyse.ts'
import type { Passage } from '../../../search/passage.ts'
import type { Tools } from '../../tools/tools.ts'
import type { Found } from '../evidence.ts'
import { holds, type Part, profileOf } from '../keywords.ts'
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

const PLURAL =
  /(?<![\p{L}])(?:which|what|list(?: all)?|name|show(?: me)?(?: all)?|welche|nenne|liste|quel(?:le)?s|listez|qué|cuáles|lista)\s+(?:(?:are|were|sind|waren|wurden|sont|étaient|son|fueron|the|all|alle|die|der|les|los|las)\s+)*(\p{L}{4,})(?![\p{L}])/iu

/** What a question asks several of. */
export interface Several {
  noun: string
  /** What is said of them: decisions are "taken", "adopted" or "concern" something, and need not say so themselves. */
  verbs: string[]
  /** A series has two; one thing decided is an answer too. */
  least: number
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

/** Undefined for a question that asks otherwise. */
export function severalAsked(question: string): Several | undefined {
  for (const { asks, noun } of DECIDED) {
    const verb = asks.exec(question)?.[1]
    if (verb) return { noun, verbs: [verb.toLowerCase()], least: 1 }
  }
  const found = PLURAL.exec(question)
  const noun = found?.[1]
  if (!found || noun === undefined) return undefined
  const said = new RegExp(`^\\s+(?:(?:${AUXILIARY})\\s+)*(\\p{L}+)`, 'iu')
  const behind = said.exec(question.slice(found.index + found[0].length))?.[1]
  const closing = CLOSES.exec(question)?.[1]
  const verbs = [behind, closing].flatMap((verb) => (verb ? [verb.toLowerCase()] : []))
  return { noun, verbs, least: LEAST }
}

const MOST_DOCUMENTS = 3
const MOST_LINES = 20
// A document is named by a title that says so much of the question.
const NAMED = 0.5
const LEAST = 2

interface Item {
  line: Line
  /** Verbatim: what the words of the question are looked for in. */
  text: string
}

/** All of the series in the first document that has one and that the question's names fit; undefined when none does. */
export async function quoteSeries(
  tools: Pick<Tools, 'read' | 'late'>,
  { noun, verbs, least }: Several,
  { found, parts, says }: { found: readonly Found[]; parts: readonly Part[]; says: Wording },
): Promise<Outline | undefined> {
  for (const id of documentsWith(found, noun, parts).slice(0, MOST_DOCUMENTS)) {
    const passages = await readWhole(tools, id)
    const all = seriesIn(passages, noun)
    const own = parts.filter((part) => !part.light && !verbs.includes(part.word.toLowerCase()))
    const items = all.length < least ? [] : fitting(all, own, noun, passages)
    if (items.length === 0) continue
    const lines = items.map(({ line }) => line)
    return { lead: says.found, lines: lines.slice(0, MOST_LINES), cut: lines.length > MOST_LINES }
  }
  return undefined
}

/** Documents that the question names, then those with such things near what it says; each in the order found. */
function documentsWith(found: readonly Found[], noun: string, parts: readonly Part[]): string[] {
  const named = documentsNamed(found, parts).filter(({ share }) => share >= NAMED)
  const near = found.filter(({ passage }) => seriesIn([passage], noun).length > 0)
  return [...new Set([...named.map(({ id }) => id), ...near.map(({ passage }) => passage.document_id)])]
}

function seriesIn(passages: readonly Passage[], noun: string): Item[] {
  const numbered = passages.flatMap((passage) => numberedIn(passage, noun))
  if (numbered.length) return numbered
  const under = passages.filter((passage) => isCalled(headingOf(passage), noun, passage))
  return statementsOf(under)
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

/** Each from its number to the next one or to the end of its line. */
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

/** The items that hold what the question says beside the noun, where the document's title or beginning does not. */
function fitting(items: Item[], parts: readonly Part[], noun: string, passages: readonly Passage[]): Item[] {
  const [first] = passages
  if (!first) return []
  const { language } = first
  const named = new Set(contentTerms(noun, language))
  const about = profileOf(`${first.document_title}\n${first.heading}\n${first.text}`, language)
  const open = parts.filter((part) => !named.has(part.forms.get(language) ?? '') && !holds(about, part))
  return items.filter(({ text }) => {
    const own = profileOf(text, language)
    return open.every((part) => holds(own, part))
  })
}
