// What of a passage can be quoted: its sentences and the rows of its tables, each with the words that stand around it
// and speak for it (title, headings, column names, the sentence before). Pure.

import { sentences } from '../../language/sentences.ts'
import { words } from '../../language/words.ts'
import type { Passage } from '../../search/passage.ts'
import { type Cell, columnsWithoutRows, tableRows } from '../markdown-table.ts'
import { covered, holds, type Part, type Profile, profileOf } from './keywords.ts'
import { headingsIn, listsIn, type TextList, withoutNumber } from './text-structure.ts'

/** A passage found for a question, with how it was found. */
export interface Found {
  passage: Passage
  /** Its score as a share of the best of its search, 0 to 1. */
  strength: number
  /** For a second hop: the entity that led here and the passage that named it. */
  via?: { entity: string; from: Passage }
}

export interface Evidence {
  found: Found
  /** Verbatim: a sentence, a table row's line, or a list with its lead. */
  text: string
  /** For a table row: its cells with their column names. */
  cells?: Cell[]
  /** For a list: what leads in, and its items. */
  list?: TextList
  own: Profile
  /** Column names of a row; the lead of a list. */
  headers: Profile
  /** Title and heading path; of a row also the table's caption. */
  around: Profile
  /** The heading or the question that it stands under; the title where there is none. */
  under: Under
  /** The sentence before; for a second hop also what led here. */
  before: Profile
  /** Which sentence or row of the passage. */
  position: number
}

export interface Under {
  heading: string
  terms: Profile
}

/** All that search knows of a passage: title, heading path and text. */
export const passageText = ({ document_title, heading, text }: Passage): string =>
  `${document_title}\n${heading}\n${text}`

const LEAST_WORDS = 3
// What stands beside a table in its passage and is longer is text of its own.
const LONGEST_CAPTION = 240
const EMPTY = (passage: Passage): Profile => ({ language: passage.language, terms: new Set() })

/** Everything quotable of the passages found, each in reading order; headings and bare captions are not. */
export const evidenceOf = (all: readonly Found[]): Evidence[] =>
  all.flatMap((found) => {
    const { document_id, chunk_no } = found.passage
    const before = all.find(
      ({ passage }) => passage.document_id === document_id && passage.chunk_no === chunk_no - 1,
    )
    return piecesOf(found, before ? columnsWithoutRows(before.passage.text) : [])
  })

function piecesOf(found: Found, lent: readonly string[]): Evidence[] {
  const { passage } = found
  const { rows, rest } = tableRows(passage.text, lent)
  const around = profileOf(`${passage.document_title}\n${passage.heading}`, passage.language)
  const said = rest.trim()
  const captioned = said.length <= LONGEST_CAPTION ? union(around, profileOf(said, passage.language)) : around
  const led = found.via ? profileOf(found.via.from.text, passage.language) : EMPTY(passage)
  const lists = listsIn(rest, passage.heading.split(' > ').at(-1)?.trim() ?? '')
  const { outer, underAt, asks } = sectionsOf(rest, passage)
  const spoken = sentences(rest).filter(
    ({ text, start }) => !asks(start) && isStatement(text, passage, underAt(start)),
  )
  const quoted = spoken.map(
    ({ text, start }, position): Evidence => ({
      found,
      text,
      own: profileOf(text, passage.language),
      headers: EMPTY(passage),
      around,
      under: underAt(start),
      before: union(led, profileOf(spoken[position - 1]?.text ?? '', passage.language)),
      position,
    }),
  )
  return [
    ...quoted,
    ...lists.map((list): Evidence => listEvidence(list, found, rest, { around, under: underAt(list.start) })),
    ...rows
      .filter(({ cells }) => cells.length > 1)
      .map((row, i) => rowEvidence(row, i, found, { around: captioned, under: outer })),
  ]
}

interface Sections {
  /** The heading of the passage. */
  outer: Under
  underAt: (at: number) => Under
  /** Whether a question of the text stands there that is answered below it. */
  asks: (at: number) => boolean
}

/** What stands under which heading of the passage; offsets in UTF-16 units. */
function sectionsOf(text: string, passage: Passage): Sections {
  const own = passage.heading.split(' > ').at(-1)?.trim() || passage.document_title
  const outer = underOf(own, passage)
  const sections = headingsIn(text).map((heading) => ({ ...heading, under: underOf(heading.text, passage) }))
  return {
    outer,
    underAt: (at) => sections.findLast(({ end }) => end <= at)?.under ?? outer,
    asks: (at) => sections.some(({ start, end, isQuestion }) => isQuestion && start <= at && at < end),
  }
}

const underOf = (heading: string, { language }: Passage): Under => ({
  heading,
  terms: profileOf(withoutNumber(heading), language),
})

function listEvidence(
  list: TextList,
  found: Found,
  text: string,
  place: Pick<Evidence, 'around' | 'under'>,
): Evidence {
  const { language } = found.passage
  return {
    found,
    text: text.slice(list.start, list.end),
    list,
    own: profileOf([list.lead, ...list.items].join('\n'), language),
    headers: profileOf(list.lead, language),
    ...place,
    before: EMPTY(found.passage),
    position: 0,
  }
}

function rowEvidence(
  row: { line: string; cells: Cell[] },
  position: number,
  found: Found,
  place: Pick<Evidence, 'around' | 'under'>,
): Evidence {
  const { language } = found.passage
  const joined = (part: 'header' | 'text'): string => row.cells.map((cell) => cell[part]).join('\n')
  return {
    found,
    text: row.line,
    cells: row.cells,
    own: profileOf(joined('text'), language),
    headers: profileOf(joined('header'), language),
    ...place,
    before: EMPTY(found.passage),
    position,
  }
}

const union = (a: Profile, b: Profile): Profile => ({
  language: a.language,
  terms: new Set([...a.terms, ...b.terms]),
})

// What opens and ends a letter is no statement.
const SALUTATION =
  /^(?:dear|hello|hi|good (?:morning|afternoon|day)|sehr geehrte[rns]?|liebe[rs]?|hallo|guten (?:tag|morgen)|bonjour|chère?s?|madame|monsieur|estimad[oa]s?|querid[oa]s?|hola|(?:kind|best|warm|many)(?:est)? (?:regards|wishes)|yours (?:sincerely|faithfully|truly)|mit freundlichen|(?:viele|beste|herzliche|freundliche) grüße|cordialement|bien à vous|veuillez agréer|atentamente|un saludo|saludos)(?![\p{L}])[^.?!;]{0,80}[,!.:]?$/iu

/** A heading, a page number or a label says nothing by itself; below a question "No." is a statement. */
function isStatement(text: string, passage: Passage, { heading }: Under): boolean {
  if (SALUTATION.test(text.trim())) return false
  const headings = [passage.document_title, ...passage.heading.split(' > ')].map((heading) => heading.trim())
  const bare = text.replace(/^#+\s*/, '')
  if (headings.includes(bare)) return false
  return (
    /[?？]$/.test(heading) ||
    [...words(bare)].length >= LEAST_WORDS ||
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Hangul}]{4}/u.test(bare)
  )
}

// Whether a heading says what is asked: then what stands under it is the answer, in whatever words. Pure.

// With its title and the headings above it the heading says nearly all that is asked, half of it by itself, and little else.
const HEADED = 0.9
const HEADED_ALONE = 0.5
const LITTLE_ELSE = 0.6

/** "Can I bring my dog?" above "Yes, on Fridays.": heading and text are read together, so the text is about all of it. */
export function isHeaded({ around, under: { terms } }: Evidence, parts: readonly Part[]): boolean {
  if (!parts.some(({ weight }) => weight > 0)) return false
  const asked = [...terms.terms].filter((term) => parts.some((part) => holds(ONLY(terms, term), part)))
  return (
    asked.length > 0 &&
    asked.length >= LITTLE_ELSE * terms.terms.size &&
    covered(parts, [terms]) >= HEADED_ALONE &&
    covered(parts, [terms, around]) >= HEADED
  )
}

const ONLY = ({ language }: Profile, term: string): Profile => ({ language, terms: new Set([term]) })
