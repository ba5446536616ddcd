// The embedder without a model: LSA fitted to one workspace, so that no workspace's words influence another's vectors. Each
// fit is a space of its own; later chunks are folded in; when the workspace has doubled it is fitted again.

import { int4sOf, sparseOf } from '../ports/db/binary.ts'
import type { Db } from '../ports/db/db.ts'
import { finishFit, insertBasis, type SampledChunk, selectBasis, selectSample } from './basis.sql.ts'
import { type Basis, type BasisRow, foldIn, type TermRows } from './fit.ts'
import { fitInThread } from './fit-in-thread.ts'
import { insertOwnSpace } from './spaces.sql.ts'

/** The number is raised when the meaning of the vectors changes: then every workspace is fitted again. */
export const LEXICAL = 'lexical-2'
/** The beginning of every version's name. */
export const LEXICAL_FAMILY = 'lexical-'

// With 2,000 of 5,300 chunks scifact lost what LSA gains (.7058 to .6986); beyond 20,000 only time and memory grow.
const SAMPLE_CHUNKS = 20_000
// 100 chunks are 800 kB and are parsed in 7 to 14 ms, short enough for the event loop.
const READ_AT_ONCE = 100
const WRITTEN_AT_ONCE = 1000
const BEFORE_ALL_IDS = '00000000-0000-0000-0000-000000000000'

export interface WeightedTerm {
  term: number
  weight: number
}

/** The terms of a chunk. `lex`: as `sparsevec_send` gives it. */
export function weightedTerms(lex: Buffer): WeightedTerm[] {
  const { at, values } = sparseOf(lex)
  return Array.from(at, (term, i) => ({ term, weight: values[i] ?? 0 }))
}

/**
 * Without pairs of neighbouring words: with them the fit takes twice as long and scifact gains nothing (nDCG@10 .7041 against
 * .7058 at weight .2).
 */
function singleWords({ lex, words }: SampledChunk): WeightedTerm[] {
  const single = new Set(int4sOf(words))
  return weightedTerms(lex).filter(({ term }) => single.has(term))
}

/** Fits and writes a new space, ready to be filled; undefined when the workspace is gone or shares no words. */
export async function fitSpace(
  db: Db,
  workspaceId: string,
  chunks: number,
  signal: AbortSignal,
): Promise<{ id: number } | undefined> {
  const basis = await fitInThread(await sample(db, workspaceId, signal), signal)
  if (basis.dimensions === 0) return undefined
  const space = { embedder: LEXICAL, dimensions: basis.dimensions, fitted: chunks }
  const id = await insertOwnSpace(db, workspaceId, space)
  if (id === undefined) return undefined
  const key = { workspaceId, spaceId: id }
  return (await writeBasis(db, key, basis, signal)) && (await finishFit(db, key)) ? { id } : undefined
}

async function writeBasis(
  db: Db,
  key: { workspaceId: string; spaceId: number },
  basis: Basis,
  signal: AbortSignal,
): Promise<boolean> {
  for (let from = 0; from < basis.terms.length; from += WRITTEN_AT_ONCE) {
    signal.throwIfAborted()
    if (!(await insertBasis(db, key, basis, { from, upto: from + WRITTEN_AT_ONCE }))) return false
  }
  return true
}

async function sample(db: Db, workspaceId: string, signal: AbortSignal): Promise<TermRows> {
  const parts: TermRows[] = []
  let after = BEFORE_ALL_IDS
  for (let read = 0; read < SAMPLE_CHUNKS; read += READ_AT_ONCE) {
    signal.throwIfAborted()
    const batch = await selectSample(db, workspaceId, after, READ_AT_ONCE)
    // Packed batch by batch: as objects, 20,000 chunks would take 200 MB, and packing them 50 ms in one go.
    parts.push(packed(batch.map(singleWords)))
    if (batch.length < READ_AT_ONCE) break
    after = batch.at(-1)?.id ?? after
  }
  return joined(parts)
}

function packed(rows: WeightedTerm[][]): TermRows {
  const terms = rows.flat()
  let end = 0
  return {
    starts: Int32Array.from([0, ...rows.map((row) => (end += row.length))]),
    terms: Int32Array.from(terms, ({ term }) => term),
    weights: Float32Array.from(terms, ({ weight }) => weight),
  }
}

function joined(parts: TermRows[]): TermRows {
  const size = parts.reduce((sum, { terms }) => sum + terms.length, 0)
  const count = parts.reduce((sum, { starts }) => sum + starts.length - 1, 0)
  const whole = {
    starts: new Int32Array(count + 1),
    terms: new Int32Array(size),
    weights: new Float32Array(size),
  }
  let row = 0
  let at = 0
  for (const { starts, terms, weights } of parts) {
    whole.terms.set(terms, at)
    whole.weights.set(weights, at)
    for (const start of starts) whole.starts[row++] = at + start
    row -= 1
    at += terms.length
  }
  return whole
}

/** A chunk or a query: its terms, and the numbers of those that may be in a basis, as far as it is known which may not. */
export interface Foldable {
  terms: WeightedTerm[]
  single: Iterable<number>
}

/** Folds chunks or queries into one space; caches the rows of the basis that it has read. */
export function folder(
  db: Db,
  workspaceId: string,
  spaceId: number,
): (texts: Foldable[]) => Promise<(Float32Array | undefined)[]> {
  const rows = new Map<number, BasisRow | undefined>()
  return async (texts) => {
    const missing = [...new Set(texts.flatMap(({ single }) => [...single]))].filter((term) => !rows.has(term))
    if (missing.length) {
      const basisRows = await selectBasis(db, { workspaceId, spaceId }, missing)
      for (const term of missing) rows.set(term, basisRows.get(term))
    }
    return texts.map(({ terms }) => foldIn(terms, (term) => rows.get(term)))
  }
}
