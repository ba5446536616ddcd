// What changed between two editions of a document, or by an amendment: each statement that is new, changed or removed, with the
// earlier statement that it replaces. English, German, French, Spanish.

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
import { changedCells, changedWords, isAboutEdition } from './earlier.ts'
import { type Edition, isOtherEdition, predecessorOf, type Series } from './series.ts'

/** A statement and the earlier one that it replaces. A new statement has only `current`, a removed one only `previous`. */
export interface Change {
  current?: Evidence
  previous?: Evidence
}

export interface Changes {
  /** The titles of the two editions, or of the amendments. */
  titles: string[]
  pairs: Change[]
}

// Matches phrases of questions about changes. Some of them, such as "which clauses", need a CHANGE_WORD in the question too.
const CHANGE_QUESTION = wholeWords(
  "what (?:has |have |had )?(?:been )?chang(?:ed|es)|what(?:[’']s| is| are) (?:new|different|the (?:changes|differences?))|(?:which|what) (?:clauses?|rules?|terms?|sections?|points?|things?|changes|differences?|amendments)(?: (?:were|was|are|have been|has been|did|does|do))?|how (?:do|does|did) .* differ|differences?|changes?|(?:what )?(?:do|does|did) .* (?:change|amend|replace)|compare[ds]?|was (?:hat sich|wurde|ist|ändert|änderte)|geändert|ändert|änderungen|unterschiede?|unterscheide[tn]|qu[’']est-ce qui (?:a changé|change)|changements?|différences?|modifié|qué (?:ha cambiado|cambió|cambia)|cambios|diferencias",
)
const CHANGE_WORD = wholeWords(
  'chang(?:e|ed|es)|differ(?:s|ed|ent|ences?)?|amend(?:ed|s|ments?)?|new|compare[ds]?|geändert|ändert|änderung(?:en)?|unterschiede?|unterscheide[tn]|changé|changements?|différences?|modifié|cambi(?:ado|ó|a|os)|diferencias',
)
// Words about the documents and their parts, not about their content.
const WORDS_ABOUT_TEXTS = wholeWords(
  'amendments?|addend(?:um|a)|clauses?|rules?|terms?|sections?|points?|versions?|editions?|documents?|policy|old|new|previous|earlier|later|latest|current|original|one|year|things?|between|compared?|differ(?:s|ed|ent|ences?)?|chang(?:e|ed|es)|amend(?:ed|s)?|replaced?|made|introduced?|nachtrags?|nachträge|änderung(?:en)?|fassung(?:en)?|ausgaben?|alte[nrsm]?|neue[nrsm]?|geändert|ändert|unterschiede?|avenants?|versions?|ancienne?|nouve(?:au|lle)|changements?|changé|différences?|anexos?|versi(?:ón|ones)|antigu[oa]|nuev[oa]|cambios|cambiado|diferencias',
)

const PASSAGES_PER_READ = 50
const MAX_PASSAGES = 100
const MAX_CHANGES = 20

/**
 * The changes that the question asks for. Undefined if it does not ask for changes, or only for those of one subject, if it is
 * unclear which documents it means, or if no change was found.
 */
export async function* changesOf(
  tools: Pick<Tools, 'readDocument' | 'outOfTime'>,
  { question: { text, language }, topic }: RetrievalState,
  { series, describedDocuments }: { series: readonly Series[]; describedDocuments: readonly NamedDocument[] },
): AsyncGenerator<StepReport, Changes | undefined> {
  if (!CHANGE_QUESTION.test(text) || !CHANGE_WORD.test(text) || tools.outOfTime()) return undefined
  const subjectText = placedPeriods(text)
    .toReversed()
    .reduce((rest, { start, end }) => `${rest.slice(0, start)} ${rest.slice(end)}`, `${text} ${topic}`)
    .replace(new RegExp(WORDS_ABOUT_TEXTS.source, 'giu'), ' ')
  const terms = contentTerms(subjectText, language)
  const amendmentDocuments = describedDocuments.filter(({ title, beginning }) =>
    isAmendmentDocument(title, beginning),
  )
  // "What changed in the rent?" asks for one clause only, because "rent" is not in the title of the document.
  const hasAllTerms = ({ title, beginning }: NamedDocument): boolean => {
    const titleTerms = new Set(contentTerms(`${title}\n${titleLines(beginning)}`, language))
    return terms.every((term) => titleTerms.has(term))
  }
  const namedAmendments = amendmentDocuments.filter(hasAllTerms)
  const comparedEditions = namedAmendments.length === 0 ? editionsToCompare(series, text, terms) : undefined
  const changes = comparedEditions
    ? yield* betweenEditions(tools, comparedEditions)
    : namedAmendments.length > 0
      ? yield* byAmendments(
          tools,
          namedAmendments,
          describedDocuments.filter((document) => !amendmentDocuments.includes(document)),
        )
      : undefined
  return changes && changes.pairs.length > 0 ? changes : undefined
}

/** The two editions that are compared: those that the question names, else the edition in force and its predecessor. */
function editionsToCompare(
  allSeries: readonly Series[],
  text: string,
  terms: readonly string[],
): [Edition, Edition] | undefined {
  const [series, ...others] = allSeries.filter((candidate) =>
    terms.every((term) => candidate.terms.has(term)),
  )
  if (!series || others.length > 0) return undefined
  const periods = placedPeriods(text).map(({ period }) => period)
  const editionsOfPeriods = series.editions.filter(
    ({ period, starts }) =>
      (period !== undefined && periods.includes(period)) ||
      (starts !== undefined && periods.some((askedPeriod) => starts.startsWith(askedPeriod))),
  )
  const [first, last] = [editionsOfPeriods[0], editionsOfPeriods.at(-1)]
  if (first && last && first !== last && isOtherEdition(first, last)) return [first, last]
  if (periods.length > 1) return undefined
  const later = first ?? series.currentEdition
  const predecessor = predecessorOf(series, later)
  return predecessor && [predecessor, later]
}

async function* betweenEditions(
  tools: Pick<Tools, 'readDocument' | 'outOfTime'>,
  [earlier, later]: [Edition, Edition],
): AsyncGenerator<StepReport, Changes> {
  const [oldStatements, recentStatements] = [
    statementsOf(await readPassages(tools, earlier.documentId)),
    statementsOf(await readPassages(tools, later.documentId)),
  ]
  yield {
    type: 'read',
    label: 'Comparing the editions',
    result_count: oldStatements.length + recentStatements.length,
  }
  return { titles: [earlier.title, later.title], pairs: differences(oldStatements, recentStatements) }
}

async function* byAmendments(
  tools: Pick<Tools, 'readDocument' | 'outOfTime'>,
  amendments: readonly NamedDocument[],
  others: readonly NamedDocument[],
): AsyncGenerator<StepReport, Changes | undefined> {
  const passages: Passage[] = []
  for (const { id } of amendments) passages.push(...(await readPassages(tools, id)))
  const amendingStatements = evidenceOf(passages).filter((piece) => !piece.list)
  const earlierStatements: Evidence[] = []
  for (const { id } of others.slice(0, MAX_AMENDED_DOCUMENTS))
    earlierStatements.push(...evidenceOf(await readPassages(tools, id)))
  yield { type: 'read', label: 'Reading the amendment', result_count: amendingStatements.length }
  const beginnings = beginningsOf(amendingStatements)
  const pairs = amendingStatements
    .toSorted((a, b) => laterFirst(a, b, beginnings))
    .flatMap((amending): Change[] => {
      if (!changesClause(amending)) return []
      const [replaced] = earlierStatements
        .filter((base) => !base.list && amends(amending, base, beginnings))
        .map((base) => ({ base, share: sharedTerms(amending, base) }))
        .sort((a, b) => b.share - a.share)
      return [
        { current: amending, ...(replaced && !ADDITION.test(amending.text) && { previous: replaced.base }) },
      ]
    })
  // If more than one document was changed, it is unclear which one is meant, so there is no answer.
  const amendedDocuments = new Set(
    pairs.flatMap(({ previous }) => previous?.foundPassage.passage.document_id ?? []),
  )
  if (amendedDocuments.size > 1) return undefined
  return { titles: amendments.map(({ title }) => title), pairs: pairs.slice(0, MAX_CHANGES) }
}

// A statement that is added to a clause replaces nothing.
const ADDITION = wholeWords(
  'in addition to|is added|are added|is inserted|zusätzlich zu|ergänzend zu|wird ergänzt|en plus de|est ajoutée?|además de|se añade',
)
const MAX_AMENDED_DOCUMENTS = 5

async function readPassages(
  tools: Pick<Tools, 'readDocument' | 'outOfTime'>,
  documentId: string,
): Promise<Passage[]> {
  const passages: Passage[] = []
  while (passages.length < MAX_PASSAGES && !tools.outOfTime()) {
    const page = await tools.readDocument(documentId, { from: passages.length }, PASSAGES_PER_READ)
    passages.push(...page)
    if (page.length < PASSAGES_PER_READ) break
  }
  return passages
}

const evidenceOf = (passages: readonly Passage[]): Evidence[] =>
  evidenceIn(passages.map((passage) => ({ passage, relevance: 1, rank: 0 })))

/** The sentences and rows of a document, without letterheads and without statements about its own edition ("Valid from 2025"). */
const statementsOf = (passages: readonly Passage[]): Evidence[] =>
  evidenceOf(passages).filter(
    ({ list, isFrontMatter, text }) => !list && !isFrontMatter && !isAboutEdition(text),
  )

// Statements that share fewer terms are about different things.
const MIN_SHARED = 0.5

/** The statements that are only in one edition. Each new statement is paired with the most similar old one. */
function differences(oldStatements: readonly Evidence[], recentStatements: readonly Evidence[]): Change[] {
  const keyOf = ({ text }: Evidence): string => withoutNumber(text).replace(/\s+/g, ' ').trim().toLowerCase()
  const [oldTexts, recentTexts] = [new Set(oldStatements.map(keyOf)), new Set(recentStatements.map(keyOf))]
  const unpairedOld = oldStatements.filter((statement) => !recentTexts.has(keyOf(statement)))
  const pairs = recentStatements
    .filter((statement) => !oldTexts.has(keyOf(statement)))
    .map((statement): Change => {
      const [mostSimilar] = unpairedOld
        .map((earlier) => ({ earlier, share: similarity(statement, earlier) }))
        .filter(({ share }) => share >= MIN_SHARED)
        .sort((a, b) => b.share - a.share)
      if (!mostSimilar) return { current: statement }
      unpairedOld.splice(unpairedOld.indexOf(mostSimilar.earlier), 1)
      return { current: statement, previous: mostSimilar.earlier }
    })
  return [...pairs, ...unpairedOld.map((statement): Change => ({ previous: statement }))].slice(
    0,
    MAX_CHANGES,
  )
}

const SAME_HEADING_BONUS = 0.2

/**
 * 1 if two statements differ only in some cells or words, else the share of their common terms, with a bonus for an equal heading.
 */
function similarity(later: Evidence, earlier: Evidence): number {
  if ((later.cells === undefined) !== (earlier.cells === undefined)) return 0
  if (later.cells) return changedCells(later, earlier) === undefined ? 0 : 1
  const hasSameHeading = withoutNumber(later.headingAbove.text) === withoutNumber(earlier.headingAbove.text)
  return changedWords(later.text, earlier.text) === undefined
    ? sharedTerms(later, earlier) + (hasSameHeading ? SAME_HEADING_BONUS : 0)
    : 1
}

/**
 * The number of terms that both statements contain, divided by the number of terms of the shorter statement, or by half of the
 * terms of the longer one if that is more.
 */
function sharedTerms({ ownTerms: first }: Evidence, { ownTerms: second }: Evidence): number {
  const [shorter = [], longer = []] = [[...first.terms], [...second.terms]].sort(
    (a, b) => a.length - b.length,
  )
  return shorter.length === 0
    ? 0
    : shorter.filter((term) => longer.includes(term)).length / Math.max(shorter.length, longer.length / 2)
}
