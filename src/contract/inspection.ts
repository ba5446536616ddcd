// The inspector (extension): a search, with everything that decided the order of its results. It reports the figures that the
// search itself used.

import { z } from 'zod'
import { type Endpoint, workspace } from './endpoint.ts'
import { Chunk, SearchRequest } from './resources.ts'

/**
 * Where a term comes from. `typed`: the query contains it. `correction`: it replaces a word that no chunk contains. `compound`: it
 * is a part of a compound of the query, or a compound with a word of the query.
 */
export const TermOrigin = z.enum(['typed', 'correction', 'compound', 'other_language'])
export type TermOrigin = z.infer<typeof TermOrigin>

/**
 * A term that was searched: a stemmed and case-folded word, or two neighbouring words. `word`: the term as the query or a result
 * writes it, null if none of them has it. `stands_for`: the word of the query for which the term was added, null if it was typed.
 * `chunks`: how many chunks contain it.
 */
export const InspectedTerm = z.object({
  term: z.string(),
  word: z.string().nullable(),
  stands_for: z.string().nullable(),
  origin: TermOrigin,
  weight: z.number(),
  chunks: z.int(),
  idf: z.number(),
})
export type InspectedTerm = z.infer<typeof InspectedTerm>

/**
 * How the query was read. `meaning`: `strong` finds passages of its own, `none` where the query has no vector. `second_hop`:
 * whether the question may have several steps, so that names in the best passages are followed.
 */
export const UnderstoodQuery = z.object({
  languages: z.array(z.string()),
  terms: z.array(InspectedTerm),
  corrections: z.array(z.object({ typed: z.string(), terms: z.array(z.string()) })),
  phrases: z.array(z.string()),
  /** The phrases that no passage contains. Their words were searched for like other words. */
  phrases_not_found: z.array(z.string()),
  scope: z.string().nullable(),
  entity_ids: z.array(z.string()),
  meaning: z.enum(['none', 'strong']),
  embedder: z.string().nullable(),
  second_hop: z.boolean(),
  chunks: z.int(),
  documents: z.int(),
})
export type UnderstoodQuery = z.infer<typeof UnderstoodQuery>

/** The steps of a search in the order in which they are applied. Steps that changed nothing are left out. */
export const SearchStep = z.enum([
  'words',
  'document',
  'meaning',
  'subject',
  'spread',
  'second_hop',
  'reranker',
  'rows',
])
export type SearchStep = z.infer<typeof SearchStep>

export const Leg = z.object({ rank: z.int(), score: z.number() })
export type Leg = z.infer<typeof Leg>

/**
 * The second hop, which started from another passage. `score`: how well the words of the query match this passage. `rest`: how well
 * those words match that the other passage does not contain.
 */
export const HopLeg = z.object({
  from_chunk_id: z.string(),
  /** Null when that passage is not among the hits. */
  from_rank: z.int().nullable(),
  about: z.boolean(),
  documents: z.int(),
  score: z.number(),
  rest: z.number(),
})
export type HopLeg = z.infer<typeof HopLeg>

/** How much a term adds to the score by words: its weight in the query times its weight in the passage. */
export const MatchedTerm = InspectedTerm.extend({
  query_weight: z.number(),
  passage_weight: z.number(),
  score: z.number(),
})
export type MatchedTerm = z.infer<typeof MatchedTerm>

/** `terms`: all terms by which the passage can be found, the heaviest first, each with the word that the passage writes it as. */
export const IndexedChunk = z.object({
  title: z.string(),
  heading: z.string(),
  text: z.string(),
  language: z.string(),
  terms: z.array(z.object({ term: z.string(), word: z.string().nullable(), weight: z.number() })),
})
export type IndexedChunk = z.infer<typeof IndexedChunk>

export const InspectedHit = z.object({
  chunk: Chunk,
  legs: z.object({
    words: Leg.nullable(),
    document: Leg.nullable(),
    meaning: Leg.nullable(),
    second_hop: HopLeg.nullable(),
  }),
  /**
   * `words`: the score of passage and document by words, as a share, below 1, of the highest score that the query's words could
   * reach. `meaning`: what meaning adds to it in the same measure; null without a vector.
   */
  shares: z.object({ words: z.number(), meaning: z.number().nullable() }),
  /** The passage's rank and score after each step. */
  steps: z.array(Leg.extend({ step: SearchStep })),
  matched: z.array(MatchedTerm),
  indexed: IndexedChunk,
})
export type InspectedHit = z.infer<typeof InspectedHit>

/** `from`: whether all chunks were scored, those that the index gave, or those with the phrase or text literally. */
export const Inspection = z.object({
  query: z.string(),
  understood: UnderstoodQuery,
  candidates: z.object({ from: z.enum(['all', 'index', 'phrase', 'literal', 'none']), ranked: z.int() }),
  steps: z.array(SearchStep),
  near_duplicates: z.int(),
  data: z.array(InspectedHit),
})
export type Inspection = z.infer<typeof Inspection>

export const inspection = {
  inspectSearch: {
    method: 'POST',
    path: '/workspaces/{workspace_id}/search/inspect',
    summary: 'Search, and say why: ranks and scores of each leg, matched words, and the chunks as indexed',
    ability: 'read',
    params: workspace,
    body: SearchRequest,
    status: 200,
    output: Inspection,
    errors: [404, 422],
    extension: true,
  },
} as const satisfies Record<string, Endpoint>
