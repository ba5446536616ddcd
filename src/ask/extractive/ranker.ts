// The ranker: four logistic models of a few features each. Their weights are fitted by lab/ranker and stored in weights.json. They
// decide the order of the evidence, whether the documents answer at all, which further quotes belong to the answer, and whether the best
// quote may be stated as the answer. Pure.

import { FEATURES, type Features } from './features.ts'
import shipped from './weights.json' with { type: 'json' }

/** The weights of the four models, and the minimum probabilities. lab/ranker calls the functions with other weights. */
export type Weights = Omit<typeof shipped, 'fittedOn'>
export const SHIPPED: Weights = shipped

const sum = (terms: readonly number[]): number => terms.reduce((all, term) => all + term, 0)

/** The score by which the evidence for a question is ordered. */
export const scoreOf = (features: Features, weights: Weights): number =>
  sum(FEATURES.map((name) => features[name] * weights.evidence[name]))

/** The features that decide whether the documents answer a question. */
export interface AnswerSigns {
  /** The share of the question in the best evidence with its headings and title. */
  evidence: number
  /** The share of the question in the passage that contains most of it. */
  passage: number
  /** 1 if no chunk contains a name of the question. */
  unknownName: number
  /** How likely the question means the document of the best evidence. */
  meant: number
  /** The logarithm of the question's length: its total weight divided by that of a word that no chunk contains. */
  length: number
}
export const ANSWER_SIGNS = ['evidence', 'passage', 'unknownName', 'meant', 'length'] as const

/** The features that decide whether the best evidence may be stated as the answer. */
export interface StatedSigns extends AnswerSigns {
  own: number
  type: number
  /** The share of the question in the passage of the evidence. */
  around: number
  relevance: number
  first: number
}
export const STATED_SIGNS = [...ANSWER_SIGNS, 'own', 'type', 'around', 'relevance', 'first'] as const

/** The features that decide whether a further quote belongs to the answer. */
export interface QuoteSigns {
  /** The score of the quote minus that of the best quote. */
  behind: number
  /** The number of quotes before it. */
  place: number
  meant: number
  /** 1 if the question means a certain document. */
  anyMeant: number
  around: number
  relevance: number
  own: number
  /** How much the quote adds to the share of the question that the quotes before it cover. */
  gain: number
  /** 1 if a quote before it is from the same document. */
  sameDocument: number
  /** The logarithm of the question's length, as in AnswerSigns. */
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
