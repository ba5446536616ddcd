// The passages that come nearest to a question by what they mean, for a question that no words answer: its own may be others than
// those of the documents. They are quoted as near and never stated as the answer, since nearness is no proof: what is asked on a
// subject of the documents without being in them is as near to them as what is (docs/decisions/0052-nearest-passages.md). Pure but
// for the one tool.

import { fold } from '../../language/words.ts'
import type { Tools } from '../tools/tools.ts'
import type { NearPassage } from './compose.ts'
import type { Evidence, FoundPassage } from './evidence.ts'
import { type Criteria, featuresOf } from './features.ts'
import { contains, type Keyword } from './keywords.ts'
import { type Question, wordsOfNames } from './question.ts'
import type { Candidates } from './selection.ts'
import { unitAround } from './unit.ts'

// The best passages of search; one costs some five units of text.
const COMPARED = 14
// A table of hundreds of rows would take the model seconds.
const MAX_COMPARED_UNITS = 20
const MAX_PASSAGES = 3
const RARE_NAME = 0.5
const MAX_ROWS = 2
// The greatest cosine of a passage and the greatest of a unit, summed; and the mean of all chunks, which tells a question on what the
// workspace is about from any other. With .8 and .09, 15 of 20 paraphrased questions pass; of 120 questions of an encyclopaedia asked
// of an office's files 5, of 85 on its other articles 3 (0052).
const MIN_COSINES = 0.8
const MIN_MEAN = 0.09
// Chosen on 15 questions in other words than the documents and everyday's (0052): of six the passage that answers is one for 10 of 15.
const WEIGHTS = { chunk: 1, unit: 0.5, own: 0.3, relevance: 0.3 }

interface Compared {
  found: FoundPassage
  /** The cosine of the whole passage. */
  chunk: number
  units: { evidence: Evidence; cosine: number; own: number }[]
}

/** Undefined where none is near enough or has the names of the question, or no model compares them. */
export async function nearestPassages(
  tools: Pick<Tools, 'cosinesWith'>,
  { text, language, writtenNames }: Pick<Question, 'text' | 'language' | 'writtenNames'>,
  { pieces, criteria, chunks }: Pick<Candidates, 'pieces' | 'criteria'> & { chunks: number },
): Promise<NearPassage[] | undefined> {
  const named = wordsOfNames(writtenNames)
  const most = Math.log(1 + (chunks + 0.5) / 0.5)
  // A name that many passages have, such as that of the firm, is no part of what is asked.
  const names = criteria.keywords.filter(
    ({ word, weight }) => named.has(fold(word)) && weight >= RARE_NAME * most,
  )
  const units = unitsOf(pieces, names, criteria)
  if (units.size === 0 || criteria.keywords.length === 0) return undefined
  const cosines = await tools.cosinesWith(
    { text, language },
    {
      chunkIds: [...units.keys()].map(({ passage }) => passage.chunk_id),
      texts: [...units.values()].flat().map((unit) => ({ text: saidBy(unit), language: unit.own.language })),
    },
  )
  if (!cosines) return undefined
  const rest = [...cosines.texts]
  const compared = [...units].flatMap(([found, own]): Compared[] => {
    const read = own.flatMap((evidence) => {
      const cosine = rest.shift()
      return cosine === undefined ? [] : [{ evidence, cosine, own: shareOf(evidence, criteria) }]
    })
    const chunk = cosines.chunks.get(found.passage.chunk_id) ?? cosines.mean
    return read.length > 0 ? [{ found, units: read, chunk }] : []
  })
  const cosine =
    Math.max(...compared.map(({ chunk }) => chunk)) +
    Math.max(...compared.flatMap((one) => one.units.map((unit) => unit.cosine)))
  // Of nothing that is compared, no cosine is great enough.
  if (cosine < MIN_COSINES || cosines.mean < MIN_MEAN) return undefined
  return compared
    .map((one) => ({ ...one, score: scoreOf(one) }))
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_PASSAGES)
    .map((one) => ({ found: one.found, units: nearestUnits(one.units) }))
}

/**
 * The units of the most relevant passages that have the names: sentences and rows, since the items of a list are sentences too.
 * Other words may stand for those of the question, but not for its names.
 */
function unitsOf(
  pieces: readonly Evidence[],
  names: readonly Keyword[],
  criteria: Criteria,
): Map<FoundPassage, Evidence[]> {
  const units = new Map<FoundPassage, Evidence[]>()
  const isNamed = ({ whole, around }: Evidence): boolean =>
    names.every((name) => contains(whole, name) || contains(around, name))
  const first = [...new Set(pieces.filter(isNamed).map(({ found }) => found))]
    .sort((a, b) => b.relevance - a.relevance)
    .slice(0, COMPARED)
  for (const found of first) units.set(found, [])
  for (const piece of pieces) if (!piece.list && !piece.isLetterhead) units.get(piece.found)?.push(piece)
  return new Map([...units].map(([passage, own]) => [passage, likeliest(own, criteria)]))
}

/** The units with the most of the question's words, in reading order. */
function likeliest(units: readonly Evidence[], criteria: Criteria): Evidence[] {
  if (units.length <= MAX_COMPARED_UNITS) return [...units]
  const shares = new Map(units.map((unit) => [unit, shareOf(unit, criteria)]))
  const best = units.toSorted((a, b) => (shares.get(b) ?? 0) - (shares.get(a) ?? 0))
  const compared = new Set(best.slice(0, MAX_COMPARED_UNITS))
  return units.filter((unit) => compared.has(unit))
}

/** A row with its columns; a sentence with its heading. */
function saidBy({ cells, text, under, found: { passage } }: Evidence): string {
  if (cells) return cells.map(({ header, text: value }) => `${header}: ${value}`).join('; ')
  return under.text === passage.document_title ? text : `${under.text}. ${text}`
}

const shareOf = (evidence: Evidence, criteria: Criteria): number => featuresOf(evidence, criteria).own

const scoreOf = ({ found, units, chunk }: Compared): number =>
  WEIGHTS.chunk * chunk +
  WEIGHTS.unit * Math.max(...units.map(({ cosine }) => cosine)) +
  WEIGHTS.own * Math.max(...units.map(({ own }) => own)) +
  WEIGHTS.relevance * found.relevance

/** The nearest row or two; the nearest sentence with its neighbours. */
function nearestUnits(units: Compared['units']): Evidence[] {
  const worth = ({ cosine, own }: Compared['units'][number]): number => cosine + WEIGHTS.own * own
  const [best, ...others] = units.toSorted((a, b) => worth(b) - worth(a))
  if (!best) return []
  const isSame = ({ evidence }: Compared['units'][number]): boolean =>
    (evidence.cells === undefined) === (best.evidence.cells === undefined)
  if (best.evidence.cells) {
    const nearest = [best, ...others.filter(isSame).slice(0, MAX_ROWS - 1)]
    return units.filter((unit) => nearest.includes(unit)).map(({ evidence }) => evidence)
  }
  const sentences = units.filter(isSame).map(({ evidence }) => evidence)
  const { from, to } = unitAround(sentences, sentences.indexOf(best.evidence))
  return sentences.slice(from, to)
}
