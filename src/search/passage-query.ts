// The input of a search: a query, and the conditions on its passages.

import type { SearchRequest } from '../contract/resources.ts'
import type { AnalysedText } from '../language/analysed-text.ts'
import type { DocumentProperties, Filter } from './candidates/filter.sql.ts'

export type { DocumentProperties } from './candidates/filter.sql.ts'

/** The parts of a search beyond exact BM25 of every chunk. `lab/quality` turns each off to measure its effect. */
export type SearchPart =
  | 'emphasis'
  | 'subjects'
  | 'rows'
  | 'documents'
  | 'meaning'
  | 'second hop'
  | 'correction'
  | 'candidates'
  | 'reranker'

export interface PassageQuery extends Filter {
  query: string | AnalysedText
  limit: number
  without?: readonly SearchPart[]
}

export const hasPart = ({ without }: PassageQuery, part: SearchPart): boolean => !without?.includes(part)

/** A search by another part of the code: the API's request, and properties that documents must have. */
export interface RoomSearch extends SearchRequest {
  properties?: DocumentProperties | undefined
}

export const queryOf = ({
  query,
  limit,
  scope,
  entity_ids: entityIds,
  properties,
}: RoomSearch): PassageQuery => ({
  query,
  limit,
  ...(properties && Object.values(properties).some((value) => value !== undefined) ? { properties } : {}),
  ...(scope == null ? {} : { scope }),
  ...(entityIds?.length ? { entityIds } : {}),
})
