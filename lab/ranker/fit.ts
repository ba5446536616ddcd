// Fits the weights of the ranker (src/ask/extractive/weights.json), and reports each set by weights fitted without it:
//   node dist/lab/ranker/fit.js --data DIR --resume DIR SET … [--without GROUP,…] [--write] [--results]
// With --without, the named groups are left out of one fit and everything is reported by it; else each group in turn by the
// others, beside one fit of all and the weights shipped. --write writes the weights of that one fit; --shipped fits nothing and
// reports by the weights shipped. --results writes the comparison into lab/RESULTS.md. States are kept in the folder of
// --resume.

import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { type Evidence, evidenceIn, type FoundPassage } from '../../src/ask/extractive/evidence.ts'
import { FEATURES } from '../../src/ask/extractive/features.ts'
import {
  ANSWER_FEATURES,
  QUOTE_FEATURES,
  SHIPPED,
  STATEMENT_FEATURES,
  type StatementFeatures,
  type Weights,
} from '../../src/ask/extractive/ranker.ts'
import { type Candidate, rankCandidates, type ScoredEvidence } from '../../src/ask/extractive/ranking.ts'
import {
  type Candidates,
  decide,
  MAX_QUOTES,
  MAX_QUOTES_PER_SIDE,
  type PreparedQuestion,
  partsOf,
  prepare,
  quotesInOrder,
  statementFeatures,
  weightQuestion,
} from '../../src/ask/extractive/selection.ts'
import { progressOn } from '../../src/progress-bar.ts'
import { table, writeSection } from '../report.ts'
import { shareHeld } from '../unseen/reference.ts'
import { areaUnderCurve, dot, fitChoices, fitLogistic } from './logistic.ts'
import { holdsAnswer, saysAnswer } from './right.ts'
import { type Stated, statesOf } from './states.ts'

const { values, positionals: names } = parseArgs({
  allowPositionals: true,
  options: {
    data: { type: 'string', default: '' },
    resume: { type: 'string', default: '.' },
    sample: { type: 'string' },
    without: { type: 'string' },
    write: { type: 'boolean', default: false },
    shipped: { type: 'boolean', default: false },
    results: { type: 'boolean', default: false },
    answered: { type: 'string', default: '0.85' },
    stated: { type: 'string', default: '0.68' },
    quoted: { type: 'string', default: '0.1' },
  },
})
// The limit of "answered" is fitted too: so many of the answerable questions of each group are answered.
const ANSWERED = Number(values.answered)
const MIN_PROBABILITY = {
  answered: 0,
  stated: Number(values.stated),
  quoted: Number(values.quoted),
}
// Questions of one set: more add little, and xquad has 1,190 a language.
const MAX_OF_A_SET = 400

/** Sets with the same texts judge nothing about each other. */
const groupOf = (set: string): string => set.replace(/-half$/, '').replace(/^xquad-.*/, 'xquad')

interface Case extends Stated {
  set: string
  group: string
  prepared: PreparedQuestion
  right: ReadonlySet<Evidence>
  gold: ReadonlySet<Evidence>
}

// Of the same passages for every question of a set; what stands before a passage names the columns of its rows.
const pieces = new Map<string, Evidence[]>()
const keptEvidence = (all: readonly FoundPassage[]): Evidence[] =>
  all.flatMap((found) => {
    const { document_id, chunk_no, chunk_id } = found.passage
    const before = all.find(
      ({ passage }) => passage.document_id === document_id && passage.chunk_no === chunk_no - 1,
    )
    const key = `${chunk_id} ${before !== undefined}`
    const known =
      pieces.get(key) ??
      evidenceIn(before ? [before, found] : [found]).filter((piece) => piece.foundPassage === found)
    pieces.set(key, known)
    return known.map((piece) => ({ ...piece, foundPassage: found }))
  })

function caseOf(set: string, stated: Stated): Case {
  const { state, asked, documentOf } = stated
  const prepared = prepare(state, keptEvidence)
  const all = [prepared.whole, ...prepared.sides].flatMap(({ candidates }) => candidates)
  const gold = new Set<Evidence>()
  const right = new Set<Evidence>()
  for (const { evidence } of all) {
    const document = documentOf(evidence.foundPassage.passage)
    if (!asked.documents.includes(document)) continue
    gold.add(evidence)
    if (holdsAnswer(asked, evidence, document)) right.add(evidence)
  }
  return { ...stated, set, group: groupOf(set), prepared, right, gold }
}

const vectorOf = ({ features }: Candidate): number[] => FEATURES.map((name) => features[name])

/** With weights of their own for each; the least probabilities are those of the options. */
const NO_WEIGHTS: Weights = { ...SHIPPED, least: MIN_PROBABILITY }

interface Judged {
  part: Candidates
  order: ScoredEvidence[]
  most: number
  asked: ReturnType<typeof weightQuestion>
}

/** The parts of a question that are judged each on its own, as the product does it (selection.ts), in the order of the weights. */
const judgedIn = ({ prepared }: Case, weights: Weights): Judged[] =>
  partsOf(prepared).map((part) => ({
    part,
    order: rankCandidates(part.candidates, weights),
    most: part.subQuestion.side === undefined ? MAX_QUOTES : MAX_QUOTES_PER_SIDE,
    asked: weightQuestion(prepared.state, part.criteria),
  }))

/** The features of a part; none for one that nothing was found for. */
function featuresIn(
  one: Case,
  { candidates, criteria }: Candidates,
  weights: Weights,
): { features: StatementFeatures; best: ScoredEvidence } | undefined {
  const { state } = one.prepared
  const order = rankCandidates(candidates, weights)
  const [best] = order
  if (!best) return undefined
  return { features: statementFeatures(state, best, criteria), best }
}

const pick = <Name extends string>(keys: readonly Name[], features: Record<Name, number>): number[] =>
  keys.map((name) => features[name])

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

const named = <Name extends string>(
  keys: readonly Name[],
  weights: readonly number[],
): Record<Name | 'constant', number> =>
  Object.fromEntries(
    [...keys, 'constant'].map((key, i) => [key, Number((weights[i] ?? 0).toFixed(3))]),
  ) as Record<Name | 'constant', number>

function fitModel(cases: readonly Case[]): Weights {
  const answerable = cases.filter(({ asked }) => asked.answerable)
  const counts = new Map<string, number>()
  for (const { group } of answerable) counts.set(group, (counts.get(group) ?? 0) + 1)
  const choices = answerable.flatMap(({ prepared, right, group }) => {
    const parts = partsOf(prepared)
    return parts.map(({ candidates }) => ({
      items: candidates.map((one) => ({ x: vectorOf(one), isRight: right.has(one.evidence) })),
      weight: 1 / (counts.get(group) ?? 1) / parts.length,
    }))
  })
  const { constant: _, ...evidence } = named(FEATURES, fitChoices(choices, FEATURES.length))
  const byOrder: Weights = { ...NO_WEIGHTS, evidence }
  const quotes = answerable.flatMap((one) =>
    judgedIn(one, byOrder).flatMap(({ order, most, asked }) =>
      quotesInOrder(order, most, asked).map(({ scored, quoteFeatures }) => ({
        group: one.group,
        isRight: one.gold.has(scored.evidence),
        x: pick(QUOTE_FEATURES, quoteFeatures),
      })),
    ),
  )
  const quoting: Weights = {
    ...byOrder,
    quoted: named(QUOTE_FEATURES, fitLogistic(balanced(quotes, false))),
  }
  const refusing = new Set(cases.filter(({ asked }) => !asked.answerable).map(({ group }) => group))
  const answers = cases
    .filter(({ group }) => refusing.has(group))
    .flatMap((one) => {
      const found = featuresIn(one, one.prepared.whole, quoting)
      return found
        ? [{ group: one.group, isRight: one.asked.answerable, x: pick(ANSWER_FEATURES, found.features) }]
        : []
    })
  const statements = cases.flatMap((one) =>
    judgedIn(one, quoting).flatMap(({ part }) => {
      const found = featuresIn(one, part, quoting)
      if (!found) return []
      const isRight = one.asked.answerable && one.gold.has(found.best.evidence)
      return [{ group: one.group, isRight, x: pick(STATEMENT_FEATURES, found.features) }]
    }),
  )
  const answered = fitLogistic(balanced(answers, true))
  return {
    ...quoting,
    least: {
      ...MIN_PROBABILITY,
      answered: limitOf(
        answers.filter(({ isRight }) => isRight),
        answered,
      ),
    },
    answered: named(ANSWER_FEATURES, answered),
    stated: named(STATEMENT_FEATURES, fitLogistic(balanced(statements, true))),
  }
}

// The share of a few questions says little.
const FEW = 50

/** The highest limit, in hundredths, that leaves the wanted share of the answerable questions of each group answered. */
function limitOf(
  items: readonly { group: string; x: readonly number[] }[],
  weights: readonly number[],
): number {
  const groups = [...new Set(items.map(({ group }) => group))]
  const limits = groups.flatMap((group) => {
    const scores = items.filter((item) => item.group === group).map(({ x }) => probability(weights, x))
    return scores.length < FEW
      ? []
      : (scores.sort((a, b) => b - a)[Math.ceil(ANSWERED * scores.length) - 1] ?? 0)
  })
  return Math.floor(Math.min(...limits) * 100) / 100
}

const probability = (weights: readonly number[], x: readonly number[]): number =>
  1 / (1 + Math.exp(-dot(weights, [...x, 1])))

type Figures = Map<string, number>

/** The mean of each figure over the questions that have it. */
function figuresOf(cases: readonly Case[], weights: Weights): Figures {
  const means = new Map<string, number[]>()
  const add = (what: string, value: number | boolean): void => {
    means.set(what, [...(means.get(what) ?? []), Number(value)])
  }
  const scored: { score: number; isRight: boolean }[] = []
  for (const one of cases) {
    const { asked, gold, right, documentOf, prepared } = one
    const found = featuresIn(one, prepared.whole, weights)
    const { constant, ...answered } = weights.answered
    const score = found
      ? probability(
          [...ANSWER_FEATURES.map((name) => answered[name]), constant],
          pick(ANSWER_FEATURES, found.features),
        )
      : 0
    scored.push({ score, isRight: asked.answerable })
    const { verdict, selected } = decide(prepared, weights)
    const quotes = selected.flatMap((part) => part.quotes)
    const isAnswered = verdict !== 'absent' && quotes.length > 0
    const isStated = isAnswered && verdict === 'found'
    if (!asked.answerable) {
      add('refused', !isAnswered)
      add('wrongly stated', isStated)
      continue
    }
    const passages = new Map(quotes.map(({ evidence }) => [evidence.foundPassage.passage, evidence]))
    const cited = isAnswered ? [...passages.values()] : []
    const documents = new Set(
      cited.filter((quote) => gold.has(quote)).map((quote) => documentOf(quote.foundPassage.passage)),
    )
    add('answered', isAnswered)
    add('right document cited', documents.size > 0)
    add('evidence cited', documents.size / Math.max(1, asked.documents.length))
    if (isAnswered) add('citations right', cited.filter((quote) => gold.has(quote)).length / cited.length)
    if (isAnswered) add('quotes', cited.length)
    add('stated', isStated)
    if (isStated) add('stated: right document', documents.size > 0)
    if (asked.answers.length)
      add('answer said', isAnswered && quotes.some(({ evidence }) => saysAnswer(asked, evidence.text)))
    if (asked.reference) {
      const { kind, wanted } = asked.reference
      const text = cited.map(({ foundPassage }) => foundPassage.passage.text).join(' ')
      add(`cited text holds the ${kind}`, shareHeld({ kind, wanted: new Set(wanted) }, text) >= 0.5)
    }
    if (asked.answers.length || asked.reference || asked.facts.length)
      add('answer cited', isAnswered && quotes.some(({ evidence }) => right.has(evidence)))
  }
  return new Map([
    ['AUC', areaUnderCurve(scored)],
    ...[...means].map(([what, list]): [string, number] => [
      what,
      list.reduce((a, b) => a + b, 0) / list.length,
    ]),
  ])
}

const report = (set: string, cases: readonly Case[], weights: Weights): string =>
  `${set} (${cases.length}): ${[...figuresOf(cases, weights)].map(([what, mean]) => `${what} ${mean.toFixed(3)}`).join(', ')}`

const everyNth = <Item>(items: readonly Item[], most: number): Item[] => {
  const step = Math.max(1, items.length / most)
  return Array.from({ length: Math.min(most, items.length) }, (_, i) => items[Math.floor(i * step)]).flatMap(
    (item) => item ?? [],
  )
}

const COLUMNS = [
  'AUC',
  'answered',
  'refused',
  'right document cited',
  'citations right',
  'evidence cited',
  'stated',
  'stated: right document',
  'wrongly stated',
  'answer said',
  'answer cited',
  'cited text holds the figures',
  'cited text holds the words',
]

const all: Case[] = []
for (const name of names) {
  const stated = await statesOf(values.data, name, {
    folder: values.resume,
    sample: values.sample === undefined ? undefined : Number(values.sample),
    onProgress: progressOn(process.stderr),
  })
  for (const one of everyNth(stated, MAX_OF_A_SET)) all.push(caseOf(name, one))
  pieces.clear()
}
const casesOf = (set: string): Case[] => all.filter((one) => one.set === set)
if (values.shipped) {
  for (const name of names) console.log(`by the weights shipped ${report(name, casesOf(name), SHIPPED)}`)
} else if (values.without !== undefined || values.write) {
  const left = new Set((values.without ?? '').split(',').filter(Boolean))
  const model = fitModel(all.filter(({ group }) => !left.has(group)))
  for (const name of names)
    console.log(
      `${left.has(groupOf(name)) ? 'not fitted on' : 'fitted on'} ${report(name, casesOf(name), model)}`,
    )
  const weights = {
    ...model,
    fittedOn: names.filter((name) => !left.has(groupOf(name))),
  }
  console.log(JSON.stringify(weights))
  if (values.write)
    await writeFile('src/ask/extractive/weights.json', `${JSON.stringify(weights, null, 2)}\n`)
} else {
  const whole = fitModel(all)
  const rows: string[][] = []
  for (const group of new Set(all.map((one) => one.group))) {
    const model = fitModel(all.filter((one) => one.group !== group))
    const fits: [string, Weights][] = [
      ['the other groups', model],
      ['all of them', whole],
      ['shipped', SHIPPED],
    ]
    for (const name of names.filter((name) => groupOf(name) === group))
      for (const [on, weights] of fits) {
        const cases = casesOf(name)
        console.log(`${on}: ${report(name, cases, weights)}`)
        const figures = figuresOf(cases, weights)
        // No AUC where all questions have an answer.
        const shown = COLUMNS.map((what) => figures.get(what)?.toFixed(3).replace('NaN', '–') ?? '–')
        rows.push([`${name}, ${cases.length}`, on, ...shown])
      }
  }
  if (values.results)
    await writeSection(
      'ranker',
      `## Weights of answers, fitted with and without each set\n\n${table(['set, questions', 'fitted on', ...COLUMNS], rows)}`,
    )
}
