// The clause that answers may have been changed by a document that says none of the question's words.

import type { StepReport, Tools } from '../../tools/tools.ts'
import { rank } from '../choose.ts'
import { amendmentOf, clauseOf } from '../pieces/amended.ts'
import { evidenceOf } from '../pieces/evidence.ts'
import { keep, type Notes, wantedFor } from './notes.ts'

const LIMIT = 5
const LONGEST_TITLE = 300
// It is quoted for what it changes, not for its own rank.
const STRENGTH = 0.1

/** Looks once for what changes the best clause by its number; nothing else that is found is kept. */
export async function* searchAmendments(tools: Tools, notes: Notes): AsyncGenerator<StepReport> {
  const [need] = notes.question.needs
  if (!need || tools.late()) return
  const pieces = evidenceOf([...notes.pool.values()])
  const best = rank(pieces, wantedFor(notes, need))[0]?.evidence
  const number = best && clauseOf(best)
  if (!best || number === undefined || amendmentOf(best, pieces)) return
  // Quoted, so that search keeps to passages that hold the number: all of the contract hold its title.
  const title = best.found.passage.document_title.replace(/["“”«»„]/gu, ' ').slice(0, LONGEST_TITLE)
  const query = `"${number}" ${title}`
  const passages = await tools.search(query, LIMIT)
  const amendment = amendmentOf(
    best,
    evidenceOf(passages.map((passage) => ({ passage, strength: STRENGTH }))),
  )
  if (amendment) keep(notes, amendment.found)
  yield {
    type: 'search',
    label: 'Looking for changes to the clause found',
    query,
    result_count: passages.length,
  }
}
