// The ranker: four logistic models of a few features each. Their weights are fitted by lab/ranker and stored in weights.json. They
// decide the order of the evidence, whether the documents answer at all, which further quotes belong to the answer, and whether the best
// quote may be stated as the answer. Pure.

import { FEATURES, type Features } from './features.ts'
import shipped from './weights.json' with { type: 'json' }

/** The weights of the four models, and the minimum probabilities (`least`). lab/ranker calls the functions with other weights. */
export type Weights = Omit<typeof shipped, 'fittedOn'>
export const SHIPPED: Weights = shipped

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)

/** The score by which the evidence for a question is ordered. */
export const scoreOf = (features: Features, weights: Weights): number =>
  sum(FEATURES.map((name) => features[name] * weights.evidence[name]))

/** The features that decide whether the documents answer a question. */
export interface AnswerFeatures {
  /** The share of the question in the best evidence with its headings and title. */
  evidence: number
  /** The share of the question in the passage that contains most of it. */
  passage: number
  /** 1 if no chunk contains a name of the question. */
  unknownName: number
  /** How strongly the question names the document of the best evidence. */
  meant: number
  /** The logarithm of the question's length: its total weight divided by that of a word that no chunk contains. */
  length: number
}
export const ANSWER_FEATURES = ['evidence', 'passage', 'unknownName', 'meant', 'length'] as const

/** The features that decide whether the best evidence may be stated as the answer. */
export interface StatementFeatures extends AnswerFeatures {
  own: number
  type: number
  /** The share of the question in the passage of the evidence. */
  around: number
  relevance: number
  first: number
}
export const STATEMENT_FEATURES = [...ANSWER_FEATURES, 'own', 'type', 'around', 'relevance', 'first'] as const

/** The features that decide whether a further quote belongs to the answer. */
export interface QuoteFeatures {
  /** The score of the quote minus that of the best quote. */
  behind: number
  /** The number of quotes before it. */
  place: number
  meant: number
  /** 1 if the question names a document. */
  anyMeant: number
  around: number
  relevance: number
  own: number
  /** How much the quote adds to the share of the question that the quotes before it cover. */
  gain: number
  /** 1 if a quote before it is from the same document. */
  sameDocument: number
  /** The logarithm of the question's length, as in AnswerFeatures. */
  length: number
}
export const QUOTE_FEATURES = [
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
  features: Record<Name, number>,
  model: Record<Name | 'constant', number>,
): number {
  return 1 / (1 + Math.exp(-model.constant - sum(names.map((name) => features[name] * model[name]))))
}

export const mayAnswer = (features: AnswerFeatures, { answered: model, least }: Weights): boolean =>
  probability(ANSWER_FEATURES, features, model) >= least.answered

export const mayState = (features: StatementFeatures, { stated: model, least }: Weights): boolean =>
  probability(STATEMENT_FEATURES, features, model) >= least.stated

export const mayQuote = (features: QuoteFeatures, { quoted: model, least }: Weights): boolean =>
  probability(QUOTE_FEATURES, features, model) >= least.quoted
