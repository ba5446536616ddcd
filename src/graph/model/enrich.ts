// The model extractor: adds to the statistical extraction the findings of a language model that the text supports. Replies are
// stored, so that a restarted task or a new version sends only new text. If the budget is spent, no more calls are made and the
// document is still indexed.

import type { Deps } from '../../ports/deps.ts'
import type { ChatModel, CompletionRequest } from '../../ports/llm/llm.ts'
import { LimitReached } from '../../spending/metered-model.ts'
import type { ExtractChunk, Extraction } from '../extraction.ts'
import { batchesOf, cacheKeyOf, extractionPrompt, maxTokensOf } from './prompt.ts'
import {
  adjustTokens,
  deleteReplies,
  insertReply,
  type ReplyKey,
  reserveTokens,
  selectReply,
} from './replies.sql.ts'
import { positionKey, type VerifiedFindings, verifyReply } from './verify.ts'

export interface ModelDeps extends Pick<Deps, 'db' | 'log'> {
  llm: ChatModel
  /** The most tokens that a workspace's graph may ever use. */
  budget: number
}

interface ModelDocument {
  workspaceId: string
  documentId: string
  title: string
  chunks: readonly ExtractChunk[]
}

// After this many failures in a row the server is not called again for this document.
const MAX_FAILURES = 3

/**
 * Adds the verified findings of the model to `base`. Passages for which the model could not be called have only the statistical
 * extraction.
 */
export async function enrich(
  deps: ModelDeps,
  document: ModelDocument,
  base: Extraction,
  signal: AbortSignal,
): Promise<Extraction> {
  const hashes: string[] = []
  const findings: VerifiedFindings[] = []
  let failures = 0
  let isComplete = true
  for (const batch of batchesOf(document.chunks)) {
    signal.throwIfAborted()
    const prompt = extractionPrompt(document.title, batch, base.mentions)
    const key = { ...document, promptHash: cacheKeyOf(deps.llm.model, prompt) }
    const batchFindings =
      (await selectReply(deps.db, key)) ?? (await askModel(deps, { key, batch, prompt }, signal))
    if (typeof batchFindings === 'string') {
      isComplete = false
      failures++
      if (batchFindings === 'budget' || failures >= MAX_FAILURES) break
      continue
    }
    failures = 0
    hashes.push(key.promptHash)
    findings.push(withDocumentChunkNumbers(batchFindings, batch))
  }
  if (isComplete) await deleteReplies(deps.db, document.workspaceId, document.documentId, hashes)
  // The findings are merged once at the end, because a long document has a thousand batches and tens of thousands of mentions.
  return mergeFindings(base, {
    mentions: findings.flatMap(({ mentions }) => mentions),
    relations: findings.flatMap(({ relations }) => relations),
  })
}

const NO_FINDINGS: VerifiedFindings = { mentions: [], relations: [] }

interface BatchRequest {
  key: ReplyKey
  batch: readonly ExtractChunk[]
  prompt: CompletionRequest
}

async function askModel(
  deps: ModelDeps,
  { key, batch, prompt }: BatchRequest,
  signal: AbortSignal,
): Promise<VerifiedFindings | 'failed' | 'budget'> {
  const reservedTokens = maxTokensOf(prompt)
  if (!(await reserveTokens(deps.db, key.workspaceId, reservedTokens, deps.budget))) {
    deps.log.info({ workspace: key.workspaceId }, 'the token budget of the graph is spent')
    return 'budget'
  }
  try {
    const { text, tokens, ending } = await deps.llm.complete(prompt, signal)
    await adjustTokens(deps.db, key.workspaceId, (tokens ?? reservedTokens) - reservedTokens)
    const findings = verifyReply(batch, text)
    if (!findings) deps.log.warn({ document: key.documentId, ending }, 'the model did not answer with JSON')
    // An unreadable answer is stored as empty, because at temperature 0 the model would give the same answer again.
    await insertReply(deps.db, key, findings ?? NO_FINDINGS)
    return findings ?? NO_FINDINGS
  } catch (error) {
    // An aborted call may have been charged, so the reservation stays.
    signal.throwIfAborted()
    // A call without an answer was probably not charged.
    await adjustTokens(deps.db, key.workspaceId, -reservedTokens)
    if (error instanceof LimitReached) {
      deps.log.info({ limit: error.scope }, 'a monthly limit keeps the language model from reading documents')
      return 'budget'
    }
    deps.log.warn(
      { document: key.documentId, err: error },
      'the model could not be called; only the statistical extraction is used',
    )
    return 'failed'
  }
}

/** Replaces positions in the batch with chunk numbers of the document. */
function withDocumentChunkNumbers(
  findings: VerifiedFindings,
  batch: readonly ExtractChunk[],
): VerifiedFindings {
  const renumber = <T extends { chunk_no: number }>(row: T): T => ({
    ...row,
    chunk_no: batch[row.chunk_no]?.chunk_no ?? 0,
  })
  return { mentions: findings.mentions.map(renumber), relations: findings.relations.map(renumber) }
}

/**
 * Adds the findings of the model to the statistical extraction. A mention is counted once, with the key of the statistical
 * co-reference. The type of the model is used for names without a type.
 * @param findings with the chunk numbers of the document
 */
function mergeFindings(base: Extraction, findings: VerifiedFindings): Extraction {
  const byPosition = new Map(base.mentions.map((mention) => [positionKey(mention), mention]))
  const baseKeys = new Map<string, string>()
  for (const mention of findings.mentions) {
    const baseMention = byPosition.get(positionKey(mention))
    if (baseMention && baseMention.key !== mention.key) baseKeys.set(mention.key, baseMention.key)
  }
  const keyOf = (key: string): string => baseKeys.get(key) ?? key
  const types = new Map(
    findings.mentions.filter(({ type }) => type !== 'other').map((m) => [keyOf(m.key), m.type]),
  )
  const newMentions = findings.mentions
    .filter((mention) => !byPosition.has(positionKey(mention)))
    .map((mention) => ({
      ...mention,
      key: keyOf(mention.key),
      own: mention.own && !baseKeys.has(mention.key),
    }))
  const mentions = [...base.mentions, ...newMentions].map((mention) =>
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
    const relationKey = JSON.stringify([chunk_no, head, type, tail, start, end])
    return seenKeys.has(relationKey) ? false : seenKeys.add(relationKey)
  })
}
