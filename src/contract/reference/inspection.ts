// Descriptions and examples of ../inspection.ts.

import type * as module from '../inspection.ts'
import { ID, LEASE_NOTICE, LEASE_TITLE } from './library.ts'
import { resources } from './resources.ts'
import type { OperationTexts, SchemaTexts } from './texts.ts'

const typed = { stands_for: null, origin: 'typed' as const, weight: 1 }
const term = { term: 'notic', word: 'notice', ...typed, chunks: 13, idf: 2.23 }
const matched = { ...term, query_weight: 2.23, passage_weight: 1.44, score: 3.21 }
const understood = {
  languages: ['en'],
  terms: [term, { term: 'period', word: 'period', ...typed, chunks: 2, idf: 3.92 }],
  corrections: [],
  phrases: [],
  phrases_not_found: [],
  scope: null,
  entity_ids: [],
  meaning: 'strong' as const,
  embedder: 'sentence-1',
  second_hop: false,
  chunks: 125,
  documents: 15,
}
const leg = { rank: 1, score: 14.24 }
const hop = {
  from_chunk_id: ID.amendmentNotice,
  from_rank: 2,
  about: true,
  documents: 1,
  score: 6.2,
  rest: 3.1,
}
const indexed = {
  title: LEASE_TITLE,
  heading: '12. Ending by the Tenant',
  text: LEASE_NOTICE,
  language: 'en',
  terms: [{ term: 'notic', word: 'notice', weight: 1.44 }],
}
const hit = {
  chunk: resources.Chunk.example,
  legs: {
    words: leg,
    document: { rank: 1, score: 12.24 },
    meaning: { rank: 3, score: 0.42 },
    second_hop: null,
  },
  shares: { words: 0.64, meaning: 0.05 },
  steps: [
    { step: 'words' as const, ...leg },
    { step: 'meaning' as const, rank: 1, score: 14.53 },
  ],
  matched: [matched],
  indexed,
}

export const schemas: SchemaTexts<typeof module> = {
  TermOrigin: {
    description:
      'Where a searched term comes from. `typed`: the query contains it. `correction`: it replaces a word that no chunk contains. `compound`: it is a part of a compound of the query, or a compound with a word of the query. `other_language`: it means the same in another language.',
    example: 'typed',
  },
  InspectedTerm: {
    description:
      'A term that was searched: a word in its stem, or two neighbouring words. `word` is the term as the query or a result writes it, `stands_for` the word of the query for which the service added it; both may be null. `chunks` is the number of chunks that contain it, `idf` the weight that follows from its rarity.',
    example: term,
  },
  UnderstoodQuery: {
    description:
      'How the query was read. `meaning`: `strong` finds passages of its own, `none` where the query has no vector. `second_hop` says whether names in the best passages were followed. `phrases_not_found` are those that no passage contains; their words were searched like others.',
    example: understood,
  },
  SearchStep: {
    description: 'A step of a search, in the order in which the steps are applied.',
    example: 'words',
  },
  Leg: { description: 'The rank of a passage, from 1, and its score in one part of a search.', example: leg },
  HopLeg: {
    description:
      'How a passage was found from another one, whose names were followed. `score`: how well the words of the query match it. `rest`: how well those match that the other passage lacks. `from_rank` is null when that passage is not among the hits.',
    example: hop,
  },
  MatchedTerm: {
    description:
      'What a term adds to the score of a passage: its weight in the query times its weight in the passage.',
    example: matched,
  },
  IndexedChunk: {
    description:
      'A chunk as it was indexed. `terms` are all terms by which it can be found, the heaviest first.',
    example: indexed,
  },
  InspectedHit: {
    description:
      'A passage with everything that decided its place. `shares` compare words and meaning: `words` as a share, below 1, of the highest score that the words of the query could reach, `meaning` in the same measure, null without a vector. `steps` are its rank and score after each step.',
    example: hit,
  },
  Inspection: {
    description:
      'A search, with what decided the order of its results. `candidates.from` says whether all chunks were scored, those that the index gave, or those with the phrase or text literally. `near_duplicates` is how many passages were left out because another says the same.',
    example: {
      query: 'notice period',
      understood,
      candidates: { from: 'all', ranked: 14 },
      steps: ['words', 'meaning'],
      near_duplicates: 0,
      data: [hit],
    },
  },
}

export const operations: OperationTexts<typeof module.inspection> = {
  inspectSearch: {
    does: 'Searches as `search` does, and says why: the rank and score of each passage in each step, the words that match, and the chunks as they are indexed. It is for finding out why something is or is not found.',
    callers: 'reader',
    missing: 'the workspace or the scope',
  },
}
