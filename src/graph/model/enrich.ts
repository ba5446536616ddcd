// The model extractor: adds what a language model finds, and the text supports, to the statistical extraction.
// Replies are stored, so that a restarted task or a new version only asks about new text. When the budget is spent,
// no more calls are made and the document is still indexed.

import type { Deps } from '../../ports/deps.ts'
import type { ChatModel } from '../../ports/llm/llm.ts'
import type { ExtractChunk, Extraction, Mention } from '../extraction.ts'
import { batchesOf, extractionPrompt, hashOf, tokenCost } from './prompt.ts'
import {
  adjustTokens,
  deleteReplies,
  insertReply,
  type ReplyKey,
  reserveTokens,
  selectReply,
} from './replies.sql.ts'
import { type VerifiedFindings, verifyReply } from './verify.ts'

export interface ModelNeeds extends Pick<Deps, 'db' | 'log'> {
  llm: ChatModel
  /** The most tokens that a workspace's graph may ever use. */
  budget: number
}

export interface ReadDocument {
  workspaceId: string
  documentId: string
  title: string
  chunks: readonly ExtractChunk[]
}

// After so many failures in a row the server is not called again for this document.
const MAX_FAILURES = 3

/** `base` with what the model found and the text supports; `base` alone where the model could not be called. */
export async function enrich(
  deps: ModelNeeds,
  document: ReadDocument,
  base: Extraction,
  signal: AbortSignal,
): Promise<Extraction> {
  const hashes: string[] = []
  const findings: VerifiedFindings[] = []
  let failures = 0
  let complete = true
  for (const batch of batchesOf(document.chunks)) {
    signal.throwIfAborted()
    const prompt = extractionPrompt(document.title, batch, base.mentions)
    const key = { ...document, hash: hashOf(deps.llm.model, prompt) }
    const batchFindings =
      (await selectReply(deps.db, key)) ?? (await askModel(deps, key, batch, prompt, signal))
    if (typeof batchFindings === 'string') {
      complete = false
      failures++
      if (batchFindings === 'budget' || failures >= MAX_FAILURES) break
      continue
    }
    failures = 0
    hashes.push(key.hash)
    findings.push(inDocument(batchFindings, batch))
  }
  if (complete) await deleteReplies(deps.db, document.workspaceId, document.documentId, hashes)
  // Merged once at the end: a long document has a thousand batches and tens of thousands of mentions.
  return mergeFindings(base, {
    mentions: findings.flatMap(({ mentions }) => mentions),
    relations: findings.flatMap(({ relations }) => relations),
  })
}

const NOTHING: VerifiedFindings = { mentions: [], relations: [] }

async function askModel(
  deps: ModelNeeds,
  key: ReplyKey,
  batch: readonly ExtractChunk[],
  prompt: ReturnType<typeof extractionPrompt>,
  signal: AbortSignal,
): Promise<VerifiedFindings | 'failed' | 'budget'> {
  const reserved = tokenCost(prompt)
  if (!(await reserveTokens(deps.db, key.workspaceId, reserved, deps.budget))) {
    deps.log.info(
      { workspace: key.workspaceId },
      'the token budget of the graph is spent (KENNING_GRAPH_TOKENS)',
    )
    return 'budget'
  }
  try {
    const { text, tokens } = await deps.llm.complete(prompt, signal)
    await adjustTokens(deps.db, key.workspaceId, (tokens ?? reserved) - reserved)
    const findings = verifyReply(batch, text)
    if (!findings) deps.log.warn({ document: key.documentId }, 'the model did not answer with JSON')
    // An unreadable answer is stored as empty: at temperature 0 the same question would cost the same again.
    await insertReply(deps.db, key, findings ?? NOTHING)
    return findings ?? NOTHING
  } catch (error) {
    // An aborted call may have been charged, so the reservation is kept.
    signal.throwIfAborted()
    // Without an answer nothing was charged, as far as can be known.
    await adjustTokens(deps.db, key.workspaceId, -reserved)
    deps.log.warn(
      { document: key.documentId, err: error },
      'the model could not be called; only the statistical extraction is used',
    )
    return 'failed'
  }
}

/** Replaces positions in the batch by chunk numbers of the document. */
function inDocument(findings: VerifiedFindings, batch: readonly ExtractChunk[]): VerifiedFindings {
  const place = <T extends { chunk_no: number }>(row: T): T => ({
    ...row,
    chunk_no: batch[row.chunk_no]?.chunk_no ?? 0,
  })
  return { mentions: findings.mentions.map(place), relations: findings.relations.map(place) }
}

const placeOf = ({ chunk_no, start, end }: Mention): string => `${chunk_no}:${start}:${end}`

/**
 * Adds the model's findings to the statistical extraction. A mention is counted once, with the key of the statistical
 * co-reference; the model's type is used where there was none. `found` has the document's chunk numbers.
 */
function mergeFindings(base: Extraction, findings: VerifiedFindings): Extraction {
  const byPlace = new Map(base.mentions.map((mention) => [placeOf(mention), mention]))
  const surfaceByKey = new Map<string, string>()
  for (const mention of findings.mentions) {
    const same = byPlace.get(placeOf(mention))
    if (same && same.key !== mention.key) surfaceByKey.set(mention.key, same.key)
  }
  const keyOf = (key: string): string => surfaceByKey.get(key) ?? key
  const types = new Map(
    findings.mentions.filter(({ type }) => type !== 'other').map((m) => [keyOf(m.key), m.type]),
  )
  const added = findings.mentions
    .filter((mention) => !byPlace.has(placeOf(mention)))
    .map((mention) => ({
      ...mention,
      key: keyOf(mention.key),
      own: mention.own && !surfaceByKey.has(mention.key),
    }))
  const mentions = [...base.mentions, ...added].map((mention) =>
    mention.type === 'other' ? { ...mention, type: types.get(mention.key) ?? 'other' } : mention,
  )
  const relations = findings.relations
    .map((relation) => ({ ...relation, head: keyOf(relation.head), tail: keyOf(relation.tail) }))
    .filter(({ head, tail }) => head !== tail)
  return { mentions, relations: distinctRelations([...base.relations, ...relations]) }
}

/** Removes repeated evidence for the same relation in the same sentence. */
function distinctRelations(relations: Extraction['relations']): Extraction['relations'] {
  const seenKeys = new Set<string>()
  return relations.filter(({ chunk_no, head, type, tail, start, end }) => {
    const name = JSON.stringify([chunk_no, head, type, tail, start, end])
    return seenKeys.has(name) ? false : seenKeys.add(name)
  })
}
