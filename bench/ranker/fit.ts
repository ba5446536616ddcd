// Fits the weights of the ranker (src/ask/extractive/weights.json), and reports each set by weights fitted without it:
//   node dist/bench/ranker/fit.js --data DIR --resume DIR SET … [--without GROUP,…] [--write]
// With --without, the named groups are left out of one fit and everything is reported by it; else each group in turn by the
// others. --write writes the weights of that one fit. States are kept in the folder of --resume.

import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { type Evidence, evidenceIn, type FoundPassage } from '../../src/ask/extractive/evidence.ts'
import { FEATURES } from '../../src/ask/extractive/features.ts'
import {
  ANSWER_SIGNS,
  type AnswerSigns,
  QUOTE_SIGNS,
  STATED_SIGNS,
  type StatedSigns,
} from '../../src/ask/extractive/ranker.ts'
import { rankEvidence, type ScoredEvidence } from '../../src/ask/extractive/ranking.ts'
import { criteriaFor } from '../../src/ask/extractive/retrieval.ts'
import { lengthOf, quotesInOrder, signsOf, wholeOf } from '../../src/ask/extractive/selection.ts'
import { progressOn } from '../../src/progress-bar.ts'
import { areaUnderCurve, dot, fitChoices, fitLogistic } from './logistic.ts'
import { holdsAnswer } from './right.ts'
import { type Stated, statesOf } from './states.ts'

const { values, positionals: names } = parseArgs({
  allowPositionals: true,
  options: {
    data: { type: 'string', default: '' },
    resume: { type: 'string', default: '.' },
    sample: { type: 'string' },
    without: { type: 'string' },
    write: { type: 'boolean', default: false },
    answered: { type: 'string', default: '0.37' },
    stated: { type: 'string', default: '0.68' },
    quoted: { type: 'string', default: '0.15' },
  },
})
const LEAST = {
  answered: Number(values.answered),
  stated: Number(values.stated),
  quoted: Number(values.quoted),
}
const MOST_QUOTES = 6
// Questions of one set: more add little, and xquad has 1,190 a language.
const MOST_OF_A_SET = 400

/** Sets with the same texts judge nothing about each other. */
const groupOf = (set: string): string => set.replace(/-half$/, '').replace(/^xquad-.*/, 'xquad')

interface Case extends Stated {
  set: string
  group: string
  /** Unordered, without scores. */
  ranked: readonly ScoredEvidence[]
  vectors: ReadonlyMap<ScoredEvidence, readonly number[]>
  right: ReadonlySet<ScoredEvidence>
  gold: ReadonlySet<ScoredEvidence>
  length: number
}

const pieces = new Map<string, Evidence[]>()
function piecesIn(found: FoundPassage): Evidence[] {
  const key = `${found.passage.document_id} ${found.passage.chunk_id}`
  const known = pieces.get(key) ?? evidenceIn([found])
  pieces.set(key, known)
  return known.map((piece) => ({ ...piece, found }))
}

function caseOf(set: string, stated: Stated): Case {
  const { state, asked, documentOf } = stated
  const criteria = criteriaFor(state, wholeOf(state))
  const ranked = rankEvidence([...state.found.values()].flatMap(piecesIn), criteria)
  const gold = new Set(
    ranked.filter(({ evidence }) => asked.documents.includes(documentOf(evidence.found.passage))),
  )
  const right = new Set(
    [...gold].filter(({ evidence }) => holdsAnswer(asked, evidence, documentOf(evidence.found.passage))),
  )
  const vectors = new Map(ranked.map((scored) => [scored, FEATURES.map((name) => scored.features[name])]))
  return {
    ...stated,
    set,
    group: groupOf(set),
    ranked,
    vectors,
    right,
    gold,
    length: lengthOf(state, criteria),
  }
}

interface Model {
  evidence: number[]
  answered: number[]
  quoted: number[]
  stated: number[]
}

const inOrder = ({ ranked, vectors }: Case, weights: readonly number[]): ScoredEvidence[] =>
  ranked
    .map((scored) => ({ ...scored, score: dot(weights, vectors.get(scored) ?? []), from: scored }))
    .sort((a, b) => b.score - a.score)

const originOf = (scored: ScoredEvidence): ScoredEvidence =>
  (scored as ScoredEvidence & { from?: ScoredEvidence }).from ?? scored

const NONE: AnswerSigns = { evidence: 0, passage: 0, matched: 0, unknownName: 0, meant: 0, length: 0 }

function statedSigns(one: Case, [best]: readonly ScoredEvidence[]): StatedSigns {
  if (!best) return { ...NONE, own: 0, type: 0, around: 0, relevance: 0, first: 0 }
  const { own, figure, type, passage: around, relevance, first } = best.features
  return {
    ...signsOf(one.state, best, criteriaFor(one.state, wholeOf(one.state))),
    own,
    type: figure + type,
    around,
    relevance,
    first,
  }
}

const pick = <Name extends string>(keys: readonly Name[], signs: Record<Name, number>): number[] =>
  keys.map((name) => signs[name])

/** Weights with which each group, and of it each side, counts the same. */
function balanced<Item extends { group: string; isRight: boolean }>(
  items: readonly Item[],
  bySide: boolean,
): (Item & { weight: number })[] {
  const keyOf = ({ group, isRight }: Item): string => (bySide ? `${group} ${isRight}` : group)
  const counts = new Map<string, number>()
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1)
  return items.map((item) => ({ ...item, weight: (bySide ? 100 : 200) / (counts.get(keyOf(item)) ?? 1) }))
}

function fitModel(cases: readonly Case[]): Model {
  const answerable = cases.filter(({ asked }) => asked.answerable)
  const counts = new Map<string, number>()
  for (const { group } of answerable) counts.set(group, (counts.get(group) ?? 0) + 1)
  const choices = answerable.map(({ ranked, vectors, right, group }) => ({
    items: ranked.map((scored) => ({ x: vectors.get(scored) ?? [], isRight: right.has(scored) })),
    weight: 1 / (counts.get(group) ?? 1),
  }))
  const evidence = fitChoices(choices, FEATURES.length)
  const orders = new Map(cases.map((one) => [one, inOrder(one, evidence)]))
  const orderOf = (one: Case): ScoredEvidence[] => orders.get(one) ?? []
  const refusing = new Set(cases.filter(({ asked }) => !asked.answerable).map(({ group }) => group))
  const signs = cases.map((one) => ({ one, group: one.group, signs: statedSigns(one, orderOf(one)) }))
  const answers = signs
    .filter(({ group }) => refusing.has(group))
    .map(({ one, group, signs }) => ({ group, isRight: one.asked.answerable, x: pick(ANSWER_SIGNS, signs) }))
  const quotes = answerable.flatMap((one) =>
    quotesInOrder(orderOf(one), MOST_QUOTES, one.length).map(({ scored, signs }) => ({
      group: one.group,
      isRight: one.gold.has(originOf(scored)),
      x: pick(QUOTE_SIGNS, signs),
    })),
  )
  const statements = signs.map(({ one, group, signs }) => {
    const [best] = orderOf(one)
    return {
      group,
      isRight: best !== undefined && one.asked.answerable && one.gold.has(originOf(best)),
      x: pick(STATED_SIGNS, signs),
    }
  })
  return {
    evidence,
    answered: fitLogistic(balanced(answers, true)),
    quoted: fitLogistic(balanced(quotes, false)),
    stated: fitLogistic(balanced(statements, true)),
  }
}

const probability = (weights: readonly number[], x: readonly number[]): number =>
  1 / (1 + Math.exp(-dot(weights, [...x, 1])))

function report(set: string, cases: readonly Case[], model: Model): string {
  const means = new Map<string, number[]>()
  const add = (what: string, value: number | boolean): void => {
    means.set(what, [...(means.get(what) ?? []), Number(value)])
  }
  const scored: { score: number; isRight: boolean }[] = []
  for (const one of cases) {
    const { asked, gold, right, documentOf } = one
    const order = inOrder(one, model.evidence)
    const signs = statedSigns(one, order)
    const score = probability(model.answered, pick(ANSWER_SIGNS, signs))
    scored.push({ score, isRight: asked.answerable })
    const quotes = quotesInOrder(order, MOST_QUOTES, one.length).filter(
      (quote, i) => i === 0 || probability(model.quoted, pick(QUOTE_SIGNS, quote.signs)) >= LEAST.quoted,
    )
    const isAnswered = score >= LEAST.answered && quotes.length > 0
    const isStated = isAnswered && probability(model.stated, pick(STATED_SIGNS, signs)) >= LEAST.stated
    if (!asked.answerable) {
      add('refused', !isAnswered)
      add('wrongly stated', isStated)
      continue
    }
    const cited = isAnswered ? quotes.map((quote) => originOf(quote.scored)) : []
    const documents = new Set(
      cited.filter((quote) => gold.has(quote)).map(({ evidence }) => documentOf(evidence.found.passage)),
    )
    add('answered', isAnswered)
    add('right document cited', documents.size > 0)
    add('evidence cited', documents.size / Math.max(1, asked.documents.length))
    if (isAnswered) add('citations right', cited.filter((quote) => gold.has(quote)).length / cited.length)
    if (isAnswered) add('quotes', cited.length)
    add('stated', isStated)
    if (isStated) add('stated: right document', documents.size > 0)
    if (right.size)
      add(
        'answer cited',
        cited.some((quote) => right.has(quote)),
      )
  }
  const figures = [...means].map(
    ([what, list]) => `${what} ${(list.reduce((a, b) => a + b, 0) / list.length).toFixed(3)}`,
  )
  return `${set}: AUC ${areaUnderCurve(scored).toFixed(3)}, ${figures.join(', ')}`
}

const everyNth = <Item>(items: readonly Item[], most: number): Item[] => {
  const step = Math.max(1, items.length / most)
  return Array.from({ length: Math.min(most, items.length) }, (_, i) => items[Math.floor(i * step)]).flatMap(
    (item) => item ?? [],
  )
}

const all: Case[] = []
for (const name of names) {
  const stated = await statesOf(values.data, name, {
    folder: values.resume,
    sample: values.sample === undefined ? undefined : Number(values.sample),
    onProgress: progressOn(process.stderr),
  })
  for (const one of everyNth(stated, MOST_OF_A_SET)) all.push(caseOf(name, one))
  pieces.clear()
}
const casesOf = (set: string): Case[] => all.filter((one) => one.set === set)
const rounded = (keys: readonly string[], weights: readonly number[]): Record<string, number> =>
  Object.fromEntries(
    [...keys, 'constant']
      .slice(0, weights.length)
      .map((key, i) => [key, Number((weights[i] ?? 0).toFixed(3))]),
  )

if (values.without !== undefined || values.write) {
  const left = new Set((values.without ?? '').split(',').filter(Boolean))
  const model = fitModel(all.filter(({ group }) => !left.has(group)))
  for (const name of names)
    console.log(
      `${left.has(groupOf(name)) ? 'not fitted on' : 'fitted on'} ${report(name, casesOf(name), model)}`,
    )
  const weights = {
    fittedOn: names.filter((name) => !left.has(groupOf(name))),
    least: LEAST,
    evidence: rounded(FEATURES, model.evidence),
    answered: rounded(ANSWER_SIGNS, model.answered),
    quoted: rounded(QUOTE_SIGNS, model.quoted),
    stated: rounded(STATED_SIGNS, model.stated),
  }
  console.log(JSON.stringify(weights))
  if (values.write)
    await writeFile('src/ask/extractive/weights.json', `${JSON.stringify(weights, null, 2)}\n`)
} else {
  for (const group of new Set(all.map((one) => one.group))) {
    const model = fitModel(all.filter((one) => one.group !== group))
    for (const name of names.filter((name) => groupOf(name) === group))
      console.log(report(name, casesOf(name), model))
  }
}
