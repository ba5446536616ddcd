// The inspector (extension): a search that also explains its results. Its figures come from the trace of the search (pipeline.ts).
// Here they are only combined for each hit.

import { requireWorkspace } from '../auth/access.ts'
import type { Caller } from '../auth/caller.ts'
import type {
  HopLeg,
  InspectedHit,
  InspectedTerm,
  Inspection,
  Leg,
  MatchedTerm,
  SearchStep,
  UnderstoodQuery,
} from '../contract/inspection.ts'
import type { SearchRequest } from '../contract/resources.ts'
import { type LinkDeps, passageUrl } from '../documents/passage-url.ts'
import { termHash } from '../index/weights.ts'
import { analyse } from '../language/analyse.ts'
import type { Candidate } from './candidates/candidates.sql.ts'
import { type Ranked, withDocument } from './fusion.ts'
import { type IndexedTerm, selectIndexedTerms } from './indexed.sql.ts'
import type { Passage } from './passage.ts'
import { queryOf } from './passage-query.ts'
import { runSearch, type SearchNeeds, type SearchOutcome, type SearchTrace } from './pipeline.ts'
import { maxScoreOf, weightOf } from './query/query.ts'
import { excerptOf } from './stages/excerpt.ts'
import type { ParsedQuery } from './stages/parse.ts'
import type { HopTarget } from './stages/second-hop.sql.ts'
import { type WrittenTerms, writtenTerms } from './written-terms.ts'

/** The hits of the same search, with the reasons for their ranks. @throws ApiError 404 for an unknown scope */
export async function inspectSearch(
  deps: SearchNeeds & LinkDeps,
  caller: Caller,
  workspaceId: string,
  request: SearchRequest,
): Promise<Inspection> {
  await requireWorkspace(deps, caller, workspaceId, 'read')
  const trace = await runSearch(deps, workspaceId, queryOf(request))
  const { query, candidates, excerpts } = trace
  const ids = excerpts.passages.map(({ chunk_id }) => chunk_id)
  const indexed = await selectIndexedTerms(deps.db, workspaceId, ids)
  const inspected = explainTerms(query, writtenIn(query, excerpts.passages))
  const steps = stepsOf(trace)
  const hitOf = explainHits(trace, steps, inspected)
  const chunkOf = excerptOf(query)
  return {
    query: request.query,
    understood: explainQuery(request, trace, [...inspected.values()]),
    candidates: { from: candidates.source, ranked: candidates.byWords.length },
    steps: steps.map(({ step }) => step),
    near_duplicates: excerpts.nearDuplicates,
    data: excerpts.passages.map((passage) => ({
      chunk: { ...chunkOf(passage), source_url: passageUrl(deps, workspaceId, passage) },
      ...hitOf(passage, passageTermsOf(passage, indexed.get(passage.chunk_id) ?? [])),
    })),
  }
}

interface Step {
  step: SearchStep
  ranking: readonly Ranked[]
}

/** The orders that the stages returned, in the order of the stages. Stages that did not run are left out. */
function stepsOf({ candidates, scored, fusion, hop, reranking, excerpts }: SearchTrace): Step[] {
  const rankings: [SearchStep, readonly Ranked[] | undefined][] = [
    ['words', candidates.byWords],
    ['document', scored],
    ['meaning', fusion.byMeaning],
    ['subject', fusion.byTargets],
    ['spread', fusion.ranked],
    ['second_hop', hop?.ranked],
    ['reranker', reranking?.ranked],
    ['rows', excerpts.ranked],
  ]
  return rankings.flatMap(([step, ranking]) => (ranking ? [{ step, ranking }] : []))
}

type PassageTerm = IndexedTerm & { term: string }

/** The passage's terms, the heaviest first. Pairs outside the sample are stored only as hashes; their names come from the text. */
function passageTermsOf(
  { document_title, heading, text, language }: Passage,
  terms: readonly IndexedTerm[],
): PassageTerm[] {
  const termByHash = new Map(
    [document_title, heading, text].flatMap((part) =>
      analyse(part, language).map(({ term }) => [termHash(term), term] as const),
    ),
  )
  return terms
    .flatMap(({ term, ...each }): PassageTerm[] => {
      const name = term ?? termByHash.get(each.hash)
      return name === undefined ? [] : [{ ...each, term: name }]
    })
    .sort((a, b) => b.weight - a.weight || (a.term < b.term ? -1 : 1))
}

/** The terms of the query by hash. If two terms have the same hash, the last one counts, as in the search. */
type QueryTerms = ReadonlyMap<number, InspectedTerm & { queryWeight: number }>

function explainTerms({ terms, explain }: ParsedQuery, wordOf: WrittenTerms): QueryTerms {
  const { originOf, typedWordFor } = explain()
  return new Map(
    terms.map((each) => {
      const { term, hash, weight, df, idf } = each
      const origin = originOf(term)
      const word = wordOf(term) ?? null
      const typedWord = origin === 'typed' ? null : (typedWordFor(term) ?? null)
      const queryWeight = df > 0 ? weightOf(each) : 0
      return [hash, { term, word, stands_for: typedWord, origin, weight, chunks: df, idf, queryWeight }]
    }),
  )
}

/** A term as the query writes it, else as the first passage does that has it. */
function writtenIn({ text, languages }: ParsedQuery, passages: readonly Passage[]): WrittenTerms {
  const texts = [writtenTerms(text.text, languages), ...passages.map(writtenInPassage)]
  return (term) => {
    for (const wordIn of texts) {
      const word = wordIn(term)
      if (word !== undefined) return word
    }
    return undefined
  }
}

const writtenInPassage = ({ document_title, heading, text, language }: Passage): WrittenTerms =>
  writtenTerms(`${text}\n${heading}\n${document_title}`, [language])

function explainQuery(
  request: SearchRequest,
  { query, hop, missing }: SearchOutcome,
  terms: readonly (InspectedTerm & { queryWeight: number })[],
): UnderstoodQuery {
  const { languages, chunks, documents, required, meaning, space } = query
  return {
    languages,
    terms: [...terms]
      .sort((a, b) => b.queryWeight - a.queryWeight)
      .map(({ queryWeight: _queryWeight, ...term }) => term),
    corrections: query.explain().corrections,
    phrases: missing.length ? missing : required.phrases.map(({ text }) => text),
    phrases_not_found: missing,
    scope: request.scope ?? null,
    entity_ids: request.entity_ids ?? [],
    meaning: meaning ? 'strong' : 'none',
    embedder: meaning ? (space?.embedder ?? null) : null,
    second_hop: hop !== undefined,
    chunks,
    documents,
  }
}

/** The rank and score of each chunk in an order. */
const ranksInOrder = (ordered: readonly { chunk_id: string; score: number }[]): Map<string, Leg> =>
  new Map(ordered.map(({ chunk_id, score }, i) => [chunk_id, { rank: i + 1, score }]))

/** The ranks by score. Equal scores have the same rank. Items without a score have none. */
function ranksByScore<Key>(scored: readonly (readonly [Key, number | null])[]): Map<Key, Leg> {
  const numbered = [...new Map(scored)].filter((each): each is [Key, number] => each[1] !== null)
  const order = numbered.sort(([, a], [, b]) => b - a)
  const ranks = new Map<Key, Leg>()
  let previousRank: Leg | undefined
  for (const [i, [key, score]] of order.entries()) {
    previousRank = { rank: previousRank?.score === score ? previousRank.rank : i + 1, score }
    ranks.set(key, previousRank)
  }
  return ranks
}

/** The explanation of each hit, from the trace. */
function explainHits(
  { query, candidates: { byWords, nearest }, hop }: SearchTrace,
  steps: readonly Step[],
  inspected: QueryTerms,
): (passage: Passage, terms: readonly PassageTerm[]) => Omit<InspectedHit, 'chunk'> {
  const words = ranksInOrder(byWords)
  const documents = ranksByScore(
    byWords.map(({ document_id, document_score }) => [document_id, document_score]),
  )
  const scored = new Map([...nearest, ...byWords].map((each) => [each.chunk_id, each]))
  const meaning = ranksByScore([...scored.values()].map(({ chunk_id, similarity }) => [chunk_id, similarity]))
  const maxScore = maxScoreOf(query.terms)
  const meaningFactor = query.meaning?.factor ?? 0
  const ranksByStep = steps.map(({ step, ranking }) => ({
    step,
    ranks: ranksInOrder(ranking),
  }))
  const finalRanks = ranksByStep.at(-1)?.ranks
  return (passage, terms) => {
    const { chunk_id: id, document_id, document_title: title, heading, text, language } = passage
    const wordOf = writtenInPassage(passage)
    return {
      legs: {
        words: words.get(id) ?? null,
        document: documents.get(document_id) ?? null,
        meaning: meaning.get(id) ?? null,
        second_hop: hopOf(hop?.hops.get(id), (from) => finalRanks?.get(from)?.rank ?? null),
      },
      shares: sharesOfScore(scored.get(id), { maxScore, meaningFactor }),
      steps: ranksByStep.flatMap(({ step, ranks }) => {
        const rank = ranks.get(id)
        return rank ? [{ step, ...rank }] : []
      }),
      matched: matchedTerms(terms, inspected),
      indexed: {
        title,
        heading,
        text,
        language,
        terms: terms.map(({ term, weight }) => ({ term, word: wordOf(term) ?? null, weight })),
      },
    }
  }
}

/** The parts of the score that come from words and from meaning, as shares of the highest possible score by words. */
function sharesOfScore(
  candidate: Pick<Candidate, 'score' | 'document_score' | 'similarity'> | undefined,
  { maxScore, meaningFactor }: { maxScore: number; meaningFactor: number },
): InspectedHit['shares'] {
  const { score = 0, document_score: documentScore = null, similarity = null } = candidate ?? {}
  const shareOf = (part: number): number => (maxScore > 0 ? part / maxScore : 0)
  return {
    words: shareOf(withDocument(score, documentScore)),
    meaning: similarity === null ? null : shareOf(meaningFactor * Math.max(0, similarity)),
  }
}

function hopOf(hop: HopTarget | undefined, rankOf: (chunkId: string) => number | null): HopLeg | null {
  if (!hop) return null
  const { from, about, shared, score, rest } = hop
  return { from_chunk_id: from, from_rank: rankOf(from), about, documents: shared, score, rest }
}

/** The query's terms that the chunk has, those that contribute most to the score first. */
const matchedTerms = (terms: readonly PassageTerm[], inspected: QueryTerms): MatchedTerm[] =>
  terms
    .flatMap(({ hash, weight: passageWeight }) => {
      const term = inspected.get(hash)
      if (!term || term.queryWeight === 0) return []
      const { queryWeight, ...rest } = term
      const score = queryWeight * passageWeight
      return [{ ...rest, query_weight: queryWeight, passage_weight: passageWeight, score }]
    })
    .sort((a, b) => b.score - a.score)
