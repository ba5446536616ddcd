// The model extractor: adds to the statistical one what a model finds and the text bears out. Each reply is kept, so
// that a killed task or a new version asks only about what it has not asked; the budget ends asking, never the file.

import type { Deps } from '../../ports/deps.ts'
import type { ChatModel } from '../../ports/llm/llm.ts'
import type { ExtractChunk, Extraction, Mention } from '../extraction.ts'
import { askingFor, batchesOf, costOf, hashOf } from './prompt.ts'
import { book, correct, deleteReplies, insertReply, type ReplyKey, selectReply } from './replies.sql.ts'
import { type Findings, verify } from './verify.ts'

export interface ModelNeeds extends Pick<Deps, 'db' | 'log'> {
  llm: ChatModel
  /** Tokens a workspace's graph may cost, ever. */
  budget: number
}

export interface ReadDocument {
  workspaceId: string
  documentId: string
  title: string
  chunks: readonly ExtractChunk[]
}

// A server that failed so often in a row is left alone until the document is read again.
const MOST_FAILURES = 3

/** `base` with what the model found and the text bears out; `base` itself where it could not be asked. */
export async function enrich(
  deps: ModelNeeds,
  document: ReadDocument,
  base: Extraction,
  signal: AbortSignal,
): Promise<Extraction> {
  const hashes: string[] = []
  const findings: Findings[] = []
  let failures = 0
  let complete = true
  for (const batch of batchesOf(document.chunks)) {
    signal.throwIfAborted()
    const asking = askingFor(document.title, batch, base.mentions)
    const key = { ...document, hash: hashOf(deps.llm.model, asking) }
    const found = (await selectReply(deps.db, key)) ?? (await askOnce(deps, key, batch, asking, signal))
    if (typeof found === 'string') {
      complete = false
      failures++
      if (found === 'budget' || failures >= MOST_FAILURES) break
      continue
    }
    failures = 0
    hashes.push(key.hash)
    findings.push(inDocument(found, batch))
  }
  if (complete) await deleteReplies(deps.db, document.workspaceId, document.documentId, hashes)
  // Once for all: a long document has a thousand batches and tens of thousands of mentions.
  return union(base, {
    mentions: findings.flatMap(({ mentions }) => mentions),
    relations: findings.flatMap(({ relations }) => relations),
  })
}

const NOTHING: Findings = { mentions: [], relations: [] }

async function askOnce(
  deps: ModelNeeds,
  key: ReplyKey,
  batch: readonly ExtractChunk[],
  asking: ReturnType<typeof askingFor>,
  signal: AbortSignal,
): Promise<Findings | 'failed' | 'budget'> {
  const booked = costOf(asking)
  if (!(await book(deps.db, key.workspaceId, booked, deps.budget))) {
    deps.log.info(
      { workspace: key.workspaceId },
      'the token budget of the graph is spent (KENNING_GRAPH_TOKENS)',
    )
    return 'budget'
  }
  try {
    const { text, tokens } = await deps.llm.complete(asking, signal)
    await correct(deps.db, key.workspaceId, (tokens ?? booked) - booked)
    const findings = verify(batch, text)
    if (!findings)
      deps.log.warn({ document: key.documentId }, 'the model answered with something else than JSON')
    // What could not be read is kept as nothing: asking the same again, at temperature 0, would cost the same again.
    await insertReply(deps.db, key, findings ?? NOTHING)
    return findings ?? NOTHING
  } catch (error) {
    // Stopped half-way the call may have been charged: what was booked stays booked.
    signal.throwIfAborted()
    // Nothing came back: nothing was spent, as far as anybody can tell.
    await correct(deps.db, key.workspaceId, -booked)
    deps.log.warn(
      { document: key.documentId, err: error },
      'the model could not be asked; the statistics stand',
    )
    return 'failed'
  }
}

/** Places in the batch become chunk numbers of the document. */
function inDocument(found: Findings, batch: readonly ExtractChunk[]): Findings {
  const place = <T extends { chunk_no: number }>(row: T): T => ({
    ...row,
    chunk_no: batch[row.chunk_no]?.chunk_no ?? 0,
  })
  return { mentions: found.mentions.map(place), relations: found.relations.map(place) }
}

// The model's findings beside the statistical ones: a place in the text is counted once, under the key that the
// document's own resolution gave it; the model's type counts where the statistics had none.

const placeOf = ({ chunk_no, start, end }: Mention): string => `${chunk_no}:${start}:${end}`

/** Both extractions as one. `found` has the document's chunk numbers. */
export function union(base: Extraction, found: Findings): Extraction {
  const byPlace = new Map(base.mentions.map((mention) => [placeOf(mention), mention]))
  const known = new Map<string, string>()
  for (const mention of found.mentions) {
    const same = byPlace.get(placeOf(mention))
    if (same && same.key !== mention.key) known.set(mention.key, same.key)
  }
  const keyOf = (key: string): string => known.get(key) ?? key
  const types = new Map(
    found.mentions.filter(({ type }) => type !== 'other').map((m) => [keyOf(m.key), m.type]),
  )
  const added = found.mentions
    .filter((mention) => !byPlace.has(placeOf(mention)))
    .map((mention) => ({ ...mention, key: keyOf(mention.key), own: mention.own && !known.has(mention.key) }))
  const mentions = [...base.mentions, ...added].map((mention) =>
    mention.type === 'other' ? { ...mention, type: types.get(mention.key) ?? 'other' } : mention,
  )
  const relations = found.relations
    .map((relation) => ({ ...relation, head: keyOf(relation.head), tail: keyOf(relation.tail) }))
    .filter(({ head, tail }) => head !== tail)
  return { mentions, relations: distinct([...base.relations, ...relations]) }
}

/** One evidence for one statement of one sentence. */
function distinct(relations: Extraction['relations']): Extraction['relations'] {
  const seen = new Set<string>()
  return relations.filter(({ chunk_no, head, type, tail, start, end }) => {
    const name = JSON.stringify([chunk_no, head, type, tail, start, end])
    return seen.has(name) ? false : seen.add(name)
  })
}
