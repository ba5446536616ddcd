// The third stage: the score of each candidate by words, together with its document. Pure.

import type { Candidate } from '../candidates/candidates.sql.ts'
import { inOrder, withDocument } from '../fusion.ts'
import { hasPart } from '../passage-query.ts'
import type { Candidates } from './candidates.ts'
import type { ParsedQuery } from './parse.ts'

export const score = ({ request }: ParsedQuery, { all }: Candidates): Candidate[] =>
  inOrder(
    hasPart(request, 'documents')
      ? all.map((candidate) => ({
          ...candidate,
          score: withDocument(candidate.score, candidate.document_score),
        }))
      : all,
  )
