// The passages whose meaning is nearest to a question, for a question that the search by words could not answer because it uses other
// words than the documents. They are quoted as "closest", never stated as the answer. Nearness proves nothing: a question on a subject
// of the documents is as near to them when they do not contain the answer as when they do (docs/decisions/0052-nearest-passages.md).
// Pure, except for the call of `cosinesWith`.

import { fold } from '../../language/words.ts'
import type { Tools } from '../tools/tools.ts'
import type { NearPassage } from './compose.ts'
import type { Evidence, FoundPassage } from './evidence.ts'
import { type Criteria, featuresOf } from './features.ts'
import { contains, type Keyword } from './keywords.ts'
import { type Question, wordsOfNames } from './question.ts'
import type { Candidates } from './selection.ts'
import { unitAround } from './unit.ts'

// The most relevant passages. Each has about five units (sentences or rows), and each unit is embedded.
const MAX_COMPARED_PASSAGES = 14
// Without this limit, embedding a table of hundreds of rows would take seconds.
const MAX_UNITS_PER_PASSAGE = 20
const MAX_PASSAGES = 3
const MIN_WEIGHT_OF_RARE_NAME = 0.5
const MAX_ROWS = 2
// A question is near enough if both hold: the highest cosine of a passage plus the highest of a unit is at least MIN_COSINES, and the
// mean cosine of all chunks of the workspace is at least MIN_MEAN. The mean shows whether the question is on the subject of the
// workspace at all. It has to be higher if no document has a name of the question (decision 0052).
const MIN_COSINES = 0.7
const MIN_MEAN = 0.09
const MIN_MEAN_WITH_UNKNOWN_NAME = 0.15
// Fitted on 15 paraphrased questions and the everyday questions (decision 0052).
const WEIGHTS = { chunk: 1, unit: 0.5, own: 0.3, relevance: 0.3 }

interface ComparedPassage {
  found: FoundPassage
  /** The cosine of the whole passage. */
  chunk: number
  units: { evidence: Evidence; cosine: number; questionShare: number }[]
}

/** Undefined if no passage is near enough, if none contains the names in the question, or if no model can compare them. */
export async function nearestPassages(
  tools: Pick<Tools, 'cosinesWith'>,
  { text, language, writtenNames }: Pick<Question, 'text' | 'language' | 'writtenNames'>,
  {
    pieces,
    criteria,
    chunks,
    hasUnknownName,
  }: Pick<Candidates, 'pieces' | 'criteria'> & { chunks: number; hasUnknownName: boolean },
): Promise<NearPassage[] | undefined> {
  const wordsInNames = wordsOfNames(writtenNames)
  const highestIdf = Math.log(1 + (chunks + 0.5) / 0.5)
  // The passages must contain the rare names of the question that any document has. A name in many passages, such as that of the firm itself, distinguishes
  // none of them and is not required.
  const names = criteria.keywords.filter(
    ({ word, weight, isKnown }) =>
      isKnown && wordsInNames.has(fold(word)) && weight >= MIN_WEIGHT_OF_RARE_NAME * highestIdf,
  )
  const units = unitsOf(pieces, names, criteria)
  if (units.size === 0 || criteria.keywords.length === 0) return undefined
  const cosines = await tools.cosinesWith(
    { text, language },
    {
      chunkIds: [...units.keys()].map(({ passage }) => passage.chunk_id),
      texts: [...units.values()]
        .flat()
        .map((unit) => ({ text: textToEmbed(unit), language: unit.own.language })),
    },
  )
  if (!cosines) return undefined
  const remainingCosines = [...cosines.texts]
  const compared = [...units].flatMap(([found, passageUnits]): ComparedPassage[] => {
    const unitsWithCosine = passageUnits.flatMap((evidence) => {
      const cosine = remainingCosines.shift()
      return cosine === undefined
        ? []
        : [{ evidence, cosine, questionShare: questionShareOf(evidence, criteria) }]
    })
    const chunk = cosines.chunks.get(found.passage.chunk_id) ?? cosines.mean
    return unitsWithCosine.length > 0 ? [{ found, units: unitsWithCosine, chunk }] : []
  })
  const cosine =
    Math.max(...compared.map(({ chunk }) => chunk)) +
    Math.max(...compared.flatMap((one) => one.units.map((unit) => unit.cosine)))
  // If nothing was compared, Math.max() is -Infinity, so this returns too.
  if (cosine < MIN_COSINES || cosines.mean < (hasUnknownName ? MIN_MEAN_WITH_UNKNOWN_NAME : MIN_MEAN))
    return undefined
  return compared
    .map((one) => ({ ...one, score: scoreOf(one) }))
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_PASSAGES)
    .map((one) => ({ found: one.found, units: nearestUnits(one.units) }))
}

/**
 * The units (sentences and table rows) of the most relevant passages that contain all `names`. Lists are left out, because their items
 * are among the sentences. A passage may use other words than the question, but must contain its names.
 */
function unitsOf(
  pieces: readonly Evidence[],
  names: readonly Keyword[],
  criteria: Criteria,
): Map<FoundPassage, Evidence[]> {
  const units = new Map<FoundPassage, Evidence[]>()
  const isNamed = ({ whole, around }: Evidence): boolean =>
    names.every((name) => contains(whole, name) || contains(around, name))
  const comparedPassages = [...new Set(pieces.filter(isNamed).map(({ found }) => found))]
    .sort((a, b) => b.relevance - a.relevance)
    .slice(0, MAX_COMPARED_PASSAGES)
  for (const found of comparedPassages) units.set(found, [])
  for (const piece of pieces) if (!piece.list && !piece.isFrontMatter) units.get(piece.found)?.push(piece)
  return new Map(
    [...units].map(([found, passageUnits]) => [found, unitsNearestByWords(passageUnits, criteria)]),
  )
}

/** The units with the most of the question's words, in reading order. */
function unitsNearestByWords(units: readonly Evidence[], criteria: Criteria): Evidence[] {
  if (units.length <= MAX_UNITS_PER_PASSAGE) return [...units]
  const shares = new Map(units.map((unit) => [unit, questionShareOf(unit, criteria)]))
  const best = units.toSorted((a, b) => (shares.get(b) ?? 0) - (shares.get(a) ?? 0))
  const keptUnits = new Set(best.slice(0, MAX_UNITS_PER_PASSAGE))
  return units.filter((unit) => keptUnits.has(unit))
}

/** The text of a unit that is embedded: a row with its column names, or a sentence with its heading. */
function textToEmbed({ cells, text, headingAbove, found: { passage } }: Evidence): string {
  if (cells) return cells.map(({ header, text: value }) => `${header}: ${value}`).join('; ')
  return headingAbove.text === passage.document_title ? text : `${headingAbove.text}. ${text}`
}

const questionShareOf = (evidence: Evidence, criteria: Criteria): number => featuresOf(evidence, criteria).own

const scoreOf = ({ found, units, chunk }: ComparedPassage): number =>
  WEIGHTS.chunk * chunk +
  WEIGHTS.unit * Math.max(...units.map(({ cosine }) => cosine)) +
  WEIGHTS.own * Math.max(...units.map(({ questionShare }) => questionShare)) +
  WEIGHTS.relevance * found.relevance

/** If the nearest unit is a table row: that row and the next nearest one. If it is a sentence: the sentence with its neighbours. */
function nearestUnits(units: ComparedPassage['units']): Evidence[] {
  const scoreOfUnit = ({ cosine, questionShare }: ComparedPassage['units'][number]): number =>
    cosine + WEIGHTS.own * questionShare
  const [best, ...others] = units.toSorted((a, b) => scoreOfUnit(b) - scoreOfUnit(a))
  if (!best) return []
  const isSameKind = ({ evidence }: ComparedPassage['units'][number]): boolean =>
    (evidence.cells === undefined) === (best.evidence.cells === undefined)
  if (best.evidence.cells) {
    const nearest = [best, ...others.filter(isSameKind).slice(0, MAX_ROWS - 1)]
    return units.filter((unit) => nearest.includes(unit)).map(({ evidence }) => evidence)
  }
  const sentences = units.filter(isSameKind).map(({ evidence }) => evidence)
  const { from, to } = unitAround(sentences, sentences.indexOf(best.evidence))
  return sentences.slice(from, to)
}
