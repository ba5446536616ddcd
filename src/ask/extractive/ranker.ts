// The ranker: logistic models of a few features each, whose weights are fitted (lab/ranker) and kept in weights.json. One
// orders the evidence, one tells whether the documents answer at all, one which further quotes belong to the answer, and one
// whether the best quote may be stated as the answer. Pure.

import { FEATURES, type Features } from './features.ts'
import shipped from './weights.json' with { type: 'json' }

/** The weights of the four models, and the least probabilities; lab/ranker asks with others than the shipped ones. */
export type Weights = Omit<typeof shipped, 'fittedOn'>
export const SHIPPED: Weights = shipped

const sum = (terms: readonly number[]): number => terms.reduce((all, term) => all + term, 0)

/** The score of evidence, by which that of one question is ordered. */
export const scoreOf = (features: Features, weights: Weights): number =>
  sum(FEATURES.map((name) => features[name] * weights.evidence[name]))

/** What tells whether the documents answer a question, of its best evidence and of all passages. */
export interface AnswerSigns {
  /** The share of the question in the best evidence with what is above it, and in the passage that has most of it. */
  evidence: number
  passage: number
  /** No chunk has a name of the question: 1. */
  unknownName: number
  /** How far the document of the best evidence is meant. */
  meant: number
  /** The question's length, in words as heavy as one that no chunk has, as a logarithm; longer than five is long. */
  length: number
}
export const ANSWER_SIGNS = ['evidence', 'passage', 'unknownName', 'meant', 'length'] as const

/** What tells whether the best evidence may be stated as the answer, beside the above. */
export interface StatedSigns extends AnswerSigns {
  own: number
  type: number
  /** The share of the question in the passage of the evidence. */
  around: number
  relevance: number
  first: number
}
export const STATED_SIGNS = [...ANSWER_SIGNS, 'own', 'type', 'around', 'relevance', 'first'] as const

/** What tells whether another quote belongs to the answer. */
export interface QuoteSigns {
  /** Its score less the best one's. */
  behind: number
  /** How many quotes go before it. */
  place: number
  meant: number
  /** Whether the question means any document: 1. */
  anyMeant: number
  around: number
  relevance: number
  own: number
  /** What it adds to the share of the question that the quotes before have: each may say a part. */
  gain: number
  /** Whether a quote before is from the same document: 1. */
  sameDocument: number
  /** The question's length, in words as heavy as one that no chunk has, as a logarithm. */
  length: number
}
export const QUOTE_SIGNS = [
  'behind',
  'place',
  'meant',
  'anyMeant',
  'around',
  'relevance',
  'own',
  'gain',
  'sameDocument',
  'length',
] as const

function probability<Name extends string>(
  names: readonly Name[],
  signs: Record<Name, number>,
  model: Record<Name | 'constant', number>,
): number {
  return 1 / (1 + Math.exp(-model.constant - sum(names.map((name) => signs[name] * model[name]))))
}

export const isAnswered = (signs: AnswerSigns, { answered, least }: Weights): boolean =>
  probability(ANSWER_SIGNS, signs, answered) >= least.answered

export const isStated = (signs: StatedSigns, { stated, least }: Weights): boolean =>
  probability(STATED_SIGNS, signs, stated) >= least.stated

export const isQuoted = (signs: QuoteSigns, { quoted, least }: Weights): boolean =>
  probability(QUOTE_SIGNS, signs, quoted) >= least.quoted
