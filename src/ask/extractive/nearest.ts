// The passages that are nearest to a question that no evidence answers: by their embeddings, because the question may use other words
// than the documents, else by the rarest words of the question that they contain. They are quoted as "closest" and never stated as
// the answer: a question on a subject of the documents is near to them even if they do not contain the answer
// (docs/decisions/0052-nearest-passages.md). Pure, except for the call of `cosinesWith`.

import { isWord } from '../../language/dictionary.ts'
import { fold } from '../../language/words.ts'
import type { Tools } from '../tools/tools.ts'
import type { NearPassage } from './compose.ts'
import type { Evidence, FoundPassage } from './evidence.ts'
import { type Criteria, featuresOf } from './features.ts'
import { containsKeyword, coverage } from './keywords.ts'
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

type NearestQuestion = Pick<Question, 'text' | 'language' | 'writtenNames'>
type ComparedCandidates = Pick<Candidates, 'pieces' | 'criteria'> & { hasUnknownName: boolean }

/** The nearest passages by meaning, else by words. Undefined if none is near enough, or if none contains the names of the question. */
export async function nearestPassages(
  tools: Pick<Tools, 'cosinesWith'>,
  question: NearestQuestion,
  { pieces, criteria, chunks, hasUnknownName }: ComparedCandidates & { chunks: number },
): Promise<NearPassage[] | undefined> {
  const wordsInNames = wordsOfNames(question.writtenNames)
  const highestIdf = Math.log(1 + (chunks + 0.5) / 0.5)
  // The passages must contain the rare names of the question that are in any document. A name in many passages, such as that of the
  // firm itself, does not distinguish passages and is not required.
  const rareNames = criteria.keywords.filter(
    ({ word, weight, isInWorkspace }) =>
      isInWorkspace && wordsInNames.has(fold(word)) && weight >= MIN_WEIGHT_OF_RARE_NAME * highestIdf,
  )
  const containsNames = ({ passageTerms, contextTerms }: Evidence): boolean =>
    rareNames.every((name) => containsKeyword(passageTerms, name) || containsKeyword(contextTerms, name))
  const candidates = { pieces: pieces.filter(containsNames), criteria, hasUnknownName }
  // In English a word that neither a chunk nor the dictionary has is a name too, although it is typed in lower case.
  const hasUnknownWord =
    question.language === 'en' &&
    criteria.keywords.some(
      ({ word, isInWorkspace, isInCompound }) => !isInWorkspace && !isInCompound && !isWord(word, ['en']),
    )
  return (
    (await nearestByMeaning(tools, question, candidates)) ??
    (hasUnknownName || hasUnknownWord ? undefined : nearestByWords(candidates))
  )
}

// The share of the question's weight that a unit must contain to be near by its words. A unit with one of several rare words is
// near, a unit with everyday words alone is not.
const MIN_WORD_SHARE = 0.3
// A word is rare if its weight is at least this share of the weight of the rarest word of the question that some chunk contains.
const RARE_WORD_SHARE = 0.6
const RELEVANCE_WEIGHT = 0.3

/**
 * The passages with a unit that contains rare words of the question, the best first. In contrast to the evidence of an answer,
 * neither the title nor the form of a table row counts. Undefined if no unit is near.
 */
function nearestByWords({
  pieces,
  criteria: { keywords },
}: Pick<ComparedCandidates, 'pieces' | 'criteria'>): NearPassage[] | undefined {
  // A word that the documents have as a synonym may mean another thing there: "library" for “Bücherei” is one of programs.
  const knownKeywords = keywords.filter(
    ({ word, isInWorkspace, isGeneric, synonyms }) =>
      isInWorkspace && !isGeneric && synonyms.size === 0 && /\p{L}/u.test(word),
  )
  const highestWeight = Math.max(0, ...knownKeywords.map(({ weight }) => weight))
  const rareKeywords = knownKeywords.filter(({ weight }) => weight >= RARE_WORD_SHARE * highestWeight)
  const scoredUnits = pieces
    .filter(({ list, isFrontMatter }) => !list && !isFrontMatter)
    .flatMap((evidence) => {
      const texts = [evidence.ownTerms, evidence.headerTerms, evidence.headingAbove.terms]
      const share = coverage(keywords, texts)
      const isNear =
        share >= MIN_WORD_SHARE &&
        rareKeywords.some((keyword) => texts.some((text) => containsKeyword(text, keyword)))
      return isNear ? [{ evidence, score: share + RELEVANCE_WEIGHT * evidence.foundPassage.relevance }] : []
    })
    .sort((a, b) => b.score - a.score)
  const bestUnits = new Map<FoundPassage, Evidence>()
  for (const { evidence } of scoredUnits)
    if (!bestUnits.has(evidence.foundPassage)) bestUnits.set(evidence.foundPassage, evidence)
  const nearPassages = [...bestUnits].slice(0, MAX_PASSAGES).map(([foundPassage, best]) => ({
    foundPassage,
    units: best.cells ? [best] : sentencesAround(best, pieces),
  }))
  return nearPassages.length > 0 ? nearPassages : undefined
}

/** The sentence with its neighbours in its paragraph. An attribute of a record is in none. */
function sentencesAround(best: Evidence, pieces: readonly Evidence[]): Evidence[] {
  if (!best.paragraph) return [best]
  const sentences = pieces.filter(
    ({ foundPassage, cells, list, isFrontMatter, paragraph }) =>
      foundPassage === best.foundPassage && !cells && !list && !isFrontMatter && paragraph === best.paragraph,
  )
  const { from, to } = unitAround(sentences, sentences.indexOf(best))
  return sentences.slice(from, to)
}

/**
 * The nearest passages by their embeddings, the best first. Undefined if no passage is near enough, or if no embedder can compare
 * them.
 */
async function nearestByMeaning(
  tools: Pick<Tools, 'cosinesWith'>,
  { text, language }: NearestQuestion,
  { pieces, criteria, hasUnknownName }: ComparedCandidates,
): Promise<NearPassage[] | undefined> {
  const units = unitsOf(pieces, criteria)
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
 * The units (sentences and table rows) of the most relevant passages. Lists are left out, because their items are among the
 * sentences.
 */
function unitsOf(pieces: readonly Evidence[], criteria: Criteria): Map<FoundPassage, Evidence[]> {
  const units = new Map<FoundPassage, Evidence[]>()
  const mostRelevant = [...new Set(pieces.map(({ foundPassage }) => foundPassage))]
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
  return sentencesAround(
    best.evidence,
    units.map(({ evidence }) => evidence),
  )
}
