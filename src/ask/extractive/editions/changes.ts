// What changed between two editions of a document, or by an amendment: each statement that is a new or another one, with what stood
// there before. English, German, French, Spanish.

import { contentTerms } from '../../../language/analyse.ts'
import { placedPeriods } from '../../../language/periods.ts'
import { wholeWords } from '../../../language/words.ts'
import type { Passage } from '../../../search/passage.ts'
import type { NamedDocument, StepReport, Tools } from '../../tools/tools.ts'
import {
  amends,
  beginningsOf,
  changesClause,
  isAmendmentDocument,
  laterFirst,
  titleLines,
} from '../amendments.ts'
import { type Evidence, evidenceIn } from '../evidence.ts'
import type { RetrievalState } from '../retrieval.ts'
import { withoutNumber } from '../text-structure.ts'
import { cellsChanged, isOfEdition, wordsChanged } from './earlier.ts'
import { type Edition, isApart, predecessorOf, type Series } from './series.ts'

/** What is so now and what was before; of what is new or was left out only one of them. */
export interface Change {
  now?: Evidence
  before?: Evidence
}

export interface Changes {
  /** What they are changes of. */
  titles: string[]
  pairs: Change[]
}

// Asks for all that changed, not for one thing of it.
const CHANGED = wholeWords(
  "what (?:has |have |had )?(?:been )?chang(?:ed|es)|what(?:[’']s| is| are) (?:new|different|the (?:changes|differences?))|(?:which|what) (?:clauses?|rules?|terms?|sections?|points?|things?|changes|differences?|amendments)(?: (?:were|was|are|have been|has been|did|does|do))?|how (?:do|does|did) .* differ|differences?|changes?|(?:what )?(?:do|does|did) .* (?:change|amend|replace)|compare[ds]?|was (?:hat sich|wurde|ist|ändert|änderte)|geändert|ändert|änderungen|unterschiede?|unterscheide[tn]|qu[’']est-ce qui (?:a changé|change)|changements?|différences?|modifié|qué (?:ha cambiado|cambió|cambia)|cambios|diferencias",
)
const ASKS = wholeWords(
  'chang(?:e|ed|es)|differ(?:s|ed|ent|ences?)?|amend(?:ed|s|ments?)?|new|compare[ds]?|geändert|ändert|änderung(?:en)?|unterschiede?|unterscheide[tn]|changé|changements?|différences?|modifié|cambi(?:ado|ó|a|os)|diferencias',
)
// Words that name the texts and not what they say.
const OF_TEXTS = wholeWords(
  'amendments?|addend(?:um|a)|clauses?|rules?|terms?|sections?|points?|versions?|editions?|documents?|policy|old|new|previous|earlier|later|latest|current|original|one|year|things?|between|compared?|differ(?:s|ed|ent|ences?)?|chang(?:e|ed|es)|amend(?:ed|s)?|replaced?|made|introduced?|nachtrags?|nachträge|änderung(?:en)?|fassung(?:en)?|ausgaben?|alte[nrsm]?|neue[nrsm]?|geändert|ändert|unterschiede?|avenants?|versions?|ancienne?|nouve(?:au|lle)|changements?|changé|différences?|anexos?|versi(?:ón|ones)|antigu[oa]|nuev[oa]|cambios|cambiado|diferencias',
)

const PASSAGES_A_READ = 50
const MAX_PASSAGES = 100
const MAX_CHANGES = 20

/** The changes that the question asks for; undefined where it asks for none, for those of one thing, or it is unclear of which texts. */
export async function* changesOf(
  tools: Pick<Tools, 'readDocument' | 'outOfTime'>,
  { question: { text, language }, topic }: RetrievalState,
  { series, described }: { series: readonly Series[]; described: readonly NamedDocument[] },
): AsyncGenerator<StepReport, Changes | undefined> {
  if (!CHANGED.test(text) || !ASKS.test(text) || tools.outOfTime()) return undefined
  const plain = placedPeriods(text)
    .toReversed()
    .reduce((rest, { start, end }) => `${rest.slice(0, start)} ${rest.slice(end)}`, `${text} ${topic}`)
    .replace(new RegExp(OF_TEXTS.source, 'giu'), ' ')
  const terms = contentTerms(plain, language)
  const amendments = described.filter(({ title, beginning }) => isAmendmentDocument(title, beginning))
  // "What changed in the rent?" asks for one clause.
  const isOfAll = ({ title, beginning }: NamedDocument): boolean => {
    const named = new Set(contentTerms(`${title}\n${titleLines(beginning)}`, language))
    return terms.every((term) => named.has(term))
  }
  const meant = amendments.filter(isOfAll)
  const pair = meant.length === 0 ? pairIn(series, text, terms) : undefined
  const changes = pair
    ? yield* betweenEditions(tools, pair)
    : meant.length > 0
      ? yield* byAmendments(
          tools,
          meant,
          described.filter((one) => !amendments.includes(one)),
        )
      : undefined
  return changes && changes.pairs.length > 0 ? changes : undefined
}

/** The two editions that are compared: those that the question names, else the one in force and the one before. */
function pairIn(
  all: readonly Series[],
  text: string,
  terms: readonly string[],
): [Edition, Edition] | undefined {
  const own = all.filter((one) => terms.every((term) => one.terms.has(term)))
  const [series, ...others] = own
  if (!series || others.length > 0) return undefined
  const periods = placedPeriods(text).map(({ period }) => period)
  const named = series.editions.filter(
    ({ period, starts }) =>
      (period !== undefined && periods.includes(period)) ||
      (starts !== undefined && periods.some((one) => starts.startsWith(one))),
  )
  const [first, last] = [named[0], named.at(-1)]
  if (first && last && first !== last && isApart(first, last)) return [first, last]
  if (periods.length > 1) return undefined
  const later = first ?? series.inForce
  const before = predecessorOf(series, later)
  return before && [before, later]
}

async function* betweenEditions(
  tools: Pick<Tools, 'readDocument' | 'outOfTime'>,
  [earlier, later]: [Edition, Edition],
): AsyncGenerator<StepReport, Changes> {
  const [before, now] = [
    statementsOf(await read(tools, earlier.documentId)),
    statementsOf(await read(tools, later.documentId)),
  ]
  yield { type: 'read', label: 'Comparing the editions', result_count: before.length + now.length }
  return { titles: [earlier.title, later.title], pairs: differences(before, now) }
}

async function* byAmendments(
  tools: Pick<Tools, 'readDocument' | 'outOfTime'>,
  amendments: readonly NamedDocument[],
  others: readonly NamedDocument[],
): AsyncGenerator<StepReport, Changes | undefined> {
  const passages: Passage[] = []
  for (const { id } of amendments) passages.push(...(await read(tools, id)))
  const later = evidenceOf(passages).filter((piece) => !piece.list)
  const bases: Evidence[] = []
  for (const { id } of others.slice(0, MAX_BASES)) bases.push(...evidenceOf(await read(tools, id)))
  yield { type: 'read', label: 'Reading the amendment', result_count: later.length }
  const beginnings = beginningsOf(later)
  const pairs = later
    .toSorted((a, b) => laterFirst(a, b, beginnings))
    .flatMap((now): Change[] => {
      if (!changesClause(now)) return []
      const [before] = bases
        .filter((base) => !base.list && amends(now, base, beginnings))
        .map((base) => ({ base, share: sharedBy(now, base) }))
        .sort((a, b) => b.share - a.share)
      return [{ now, ...(before && !ADDS.test(now.text) && { before: before.base }) }]
    })
  // Amendments of two contracts are two answers.
  const changed = new Set(pairs.flatMap(({ before }) => before?.found.passage.document_id ?? []))
  if (changed.size > 1) return undefined
  return { titles: amendments.map(({ title }) => title), pairs: pairs.slice(0, MAX_CHANGES) }
}

// What is so beside a clause replaces nothing.
const ADDS = wholeWords(
  'in addition to|is added|are added|is inserted|zusätzlich zu|ergänzend zu|wird ergänzt|en plus de|est ajoutée?|además de|se añade',
)
const MAX_BASES = 5

async function read(
  tools: Pick<Tools, 'readDocument' | 'outOfTime'>,
  documentId: string,
): Promise<Passage[]> {
  const passages: Passage[] = []
  while (passages.length < MAX_PASSAGES && !tools.outOfTime()) {
    const page = await tools.readDocument(documentId, { from: passages.length }, PASSAGES_A_READ)
    passages.push(...page)
    if (page.length < PASSAGES_A_READ) break
  }
  return passages
}

const evidenceOf = (passages: readonly Passage[]): Evidence[] =>
  evidenceIn(passages.map((passage) => ({ passage, relevance: 1, rank: 0 })))

/** What a document says, without what it says of itself. */
const statementsOf = (passages: readonly Passage[]): Evidence[] =>
  evidenceOf(passages).filter(({ list, isLetterhead, text }) => !list && !isLetterhead && !isOfEdition(text))

// Statements that share less are about other things.
const MIN_SHARED = 0.5

/** Statements that the other one does not have, each with the one that it is likest under the same heading, or anywhere. */
function differences(before: readonly Evidence[], now: readonly Evidence[]): Change[] {
  const keyOf = ({ text }: Evidence): string => withoutNumber(text).replace(/\s+/g, ' ').trim().toLowerCase()
  const [old, recent] = [new Set(before.map(keyOf)), new Set(now.map(keyOf))]
  const left = before.filter((one) => !recent.has(keyOf(one)))
  const pairs = now
    .filter((one) => !old.has(keyOf(one)))
    .map((one): Change => {
      const [likest] = left
        .map((other) => ({ other, share: likeness(one, other) }))
        .filter(({ share }) => share >= MIN_SHARED)
        .sort((a, b) => b.share - a.share)
      if (!likest) return { now: one }
      left.splice(left.indexOf(likest.other), 1)
      return { now: one, before: likest.other }
    })
  return [...pairs, ...left.map((one): Change => ({ before: one }))].slice(0, MAX_CHANGES)
}

const SAME_HEADING = 0.2

function likeness(one: Evidence, other: Evidence): number {
  if ((one.cells === undefined) !== (other.cells === undefined)) return 0
  if (one.cells) return cellsChanged(one, other) === undefined ? 0 : 1
  const isSamePlace = withoutNumber(one.under.text) === withoutNumber(other.under.text)
  return wordsChanged(one.text, other.text) === undefined
    ? sharedBy(one, other) + (isSamePlace ? SAME_HEADING : 0)
    : 1
}

/** The share of words of the shorter one that the other has. */
function sharedBy({ own: one }: Evidence, { own: other }: Evidence): number {
  const [shorter = [], longer = []] = [[...one.terms], [...other.terms]].sort((a, b) => a.length - b.length)
  return shorter.length === 0
    ? 0
    : shorter.filter((term) => longer.includes(term)).length / Math.max(shorter.length, longer.length / 2)
}
