// The passages whose embeddings are nearest to a question, for a question that uses other words than the documents. They are quoted
// as "closest" and never stated as the answer: a question on a subject of the documents is near to them even if they do not contain
// the answer (docs/decisions/0052-nearest-passages.md). Pure, except for the call of `cosinesWith`.

import { fold } from '../../language/words.ts'
import type { Tools } from '../tools/tools.ts'
import type { NearPassage } from './compose.ts'
import type { Evidence, FoundPassage } from './evidence.ts'
import { type Criteria, featuresOf } from './features.ts'
import { containsKeyword, type Keyword } from './keywords.ts'
import { type Question, wordsOfNames } from './question.ts'
import type { Candidates } from './selection.ts'
import { unitAround } from './unit.ts'

// Only the most relevant passages are compared. A passage has about five units (sentences or rows), and each unit is embedded.
const MAX_COMPARED_PASSAGES = 14
// Without this limit, embedding a table of hundreds of rows would take seconds.
const MAX_UNITS_PER_PASSAGE = 20
const MAX_PASSAGES = 3
const MIN_WEIGHT_OF_RARE_NAME = 0.5
const MAX_ROWS = 2
// The sum of the highest cosine of a passage and the highest cosine of a unit (decision 0052).
const MIN_COSINES = 0.7
// The mean cosine of all chunks of the workspace, which shows whether the question is on the subject of the workspace at all. It
// has to be higher if no document contains a name of the question (decision 0052).
const MIN_MEAN = 0.09
const MIN_MEAN_WITH_UNKNOWN_NAME = 0.15
// The weights by which the passages are ordered. Fitted on 15 paraphrased questions and the everyday questions (decision 0052).
const WEIGHTS = { chunk: 1, unit: 0.5, own: 0.3, relevance: 0.3 }

interface ComparedPassage {
  foundPassage: FoundPassage
  /** The cosine of the whole passage with the question. */
  chunk: number
  units: { evidence: Evidence; cosine: number; questionShare: number }[]
}

/**
 * The nearest passages, the best first. Undefined if no passage is near enough, if no passage contains the names in the question,
 * or if no embedder can compare them.
 */
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
  // The passages must contain the rare names of the question that are in any document. A name in many passages, such as that of the
  // firm itself, does not distinguish passages and is not required.
  const rareNames = criteria.keywords.filter(
    ({ word, weight, isInWorkspace }) =>
      isInWorkspace && wordsInNames.has(fold(word)) && weight >= MIN_WEIGHT_OF_RARE_NAME * highestIdf,
  )
  const units = unitsOf(pieces, rareNames, criteria)
  if (units.size === 0 || criteria.keywords.length === 0) return undefined
  const cosines = await tools.cosinesWith(
    { text, language },
    {
      chunkIds: [...units.keys()].map(({ passage }) => passage.chunk_id),
      texts: [...units.values()]
        .flat()
        .map((unit) => ({ text: textToEmbed(unit), language: unit.ownTerms.language })),
    },
  )
  if (!cosines) return undefined
  const remainingCosines = [...cosines.texts]
  const comparedPassages = [...units].flatMap(([foundPassage, passageUnits]): ComparedPassage[] => {
    const unitsWithCosine = passageUnits.flatMap((evidence) => {
      const cosine = remainingCosines.shift()
      return cosine === undefined
        ? []
        : [{ evidence, cosine, questionShare: questionShareOf(evidence, criteria) }]
    })
    const chunk = cosines.chunks.get(foundPassage.passage.chunk_id) ?? cosines.mean
    return unitsWithCosine.length > 0 ? [{ foundPassage, units: unitsWithCosine, chunk }] : []
  })
  const highestCosines =
    Math.max(...comparedPassages.map(({ chunk }) => chunk)) +
    Math.max(...comparedPassages.flatMap((passage) => passage.units.map((unit) => unit.cosine)))
  const minMean = hasUnknownName ? MIN_MEAN_WITH_UNKNOWN_NAME : MIN_MEAN
  // If no passage was compared, Math.max() is -Infinity, so this returns too.
  if (highestCosines < MIN_COSINES || cosines.mean < minMean) return undefined
  return comparedPassages
    .map((passage) => ({ ...passage, score: scoreOf(passage) }))
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_PASSAGES)
    .map((passage) => ({ foundPassage: passage.foundPassage, units: nearestUnits(passage.units) }))
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
  const containsNames = ({ passageTerms, contextTerms }: Evidence): boolean =>
    names.every((name) => containsKeyword(passageTerms, name) || containsKeyword(contextTerms, name))
  const mostRelevant = [...new Set(pieces.filter(containsNames).map(({ foundPassage }) => foundPassage))]
    .sort((a, b) => b.relevance - a.relevance)
    .slice(0, MAX_COMPARED_PASSAGES)
  for (const foundPassage of mostRelevant) units.set(foundPassage, [])
  for (const piece of pieces)
    if (!piece.list && !piece.isFrontMatter) units.get(piece.foundPassage)?.push(piece)
  return new Map(
    [...units].map(([foundPassage, passageUnits]) => [
      foundPassage,
      unitsNearestByWords(passageUnits, criteria),
    ]),
  )
}

/** The units that cover most of the question's words, in reading order. */
function unitsNearestByWords(units: readonly Evidence[], criteria: Criteria): Evidence[] {
  if (units.length <= MAX_UNITS_PER_PASSAGE) return [...units]
  const shares = new Map(units.map((unit) => [unit, questionShareOf(unit, criteria)]))
  const best = units.toSorted((a, b) => (shares.get(b) ?? 0) - (shares.get(a) ?? 0))
  const bestUnits = new Set(best.slice(0, MAX_UNITS_PER_PASSAGE))
  return units.filter((unit) => bestUnits.has(unit))
}

/** The text of a unit that is embedded: a row with its column names, or a sentence with its heading. */
function textToEmbed({ cells, text, headingAbove, foundPassage: { passage } }: Evidence): string {
  if (cells) return cells.map(({ header, text: value }) => `${header}: ${value}`).join('; ')
  return headingAbove.text === passage.document_title ? text : `${headingAbove.text}. ${text}`
}

const questionShareOf = (evidence: Evidence, criteria: Criteria): number => featuresOf(evidence, criteria).own

const scoreOf = ({ foundPassage, units, chunk }: ComparedPassage): number =>
  WEIGHTS.chunk * chunk +
  WEIGHTS.unit * Math.max(...units.map(({ cosine }) => cosine)) +
  WEIGHTS.own * Math.max(...units.map(({ questionShare }) => questionShare)) +
  WEIGHTS.relevance * foundPassage.relevance

/**
 * If the nearest unit is a table row, that row and the second nearest row. If it is a sentence, the sentence with its neighbours.
 */
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
