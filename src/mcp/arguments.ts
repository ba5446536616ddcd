// Accepts arguments as models send them: with invented names, null for a missing value, or numbers as strings.

import type { z } from 'zod'
import { ApiError } from '../errors.ts'

/** Other names that models have used for arguments. A tool accepts only those of its own arguments. */
const aliases: Record<string, readonly string[]> = {
  query: ['question', 'userQuery', 'user_query', 'search_query', 'searchQuery', 'q', 'text', 'keywords'],
  question: ['query', 'userQuery', 'user_query', 'user_question', 'userQuestion', 'q', 'prompt', 'text'],
  workspace: ['workspace_id', 'workspaceId', 'workspace_name', 'workspaceName'],
  document: ['document_id', 'documentId', 'doc_id', 'docId', 'id', 'url'],
  id: ['document_id', 'documentId', 'doc_id', 'docId', 'document'],
  entity: ['entity_id', 'entityId', 'entity_name', 'entityName', 'name', 'query', 'id'],
  thread_id: ['thread', 'threadId', 'conversation_id', 'conversationId'],
  limit: ['top_k', 'topK', 'max_results', 'maxResults', 'count', 'n'],
  cursor: ['next_cursor', 'nextCursor', 'page_token', 'pageToken'],
  title: ['name', 'filename', 'file_name', 'fileName'],
  text: ['content', 'body', 'markdown'],
  name: ['title', 'workspace_name', 'workspaceName', 'workspace'],
}

/** @throws ApiError 422 that names the arguments and what is wrong with them */
export function readArguments(schema: z.ZodObject, input: unknown): Record<string, unknown> {
  const nonNull = Object.fromEntries(
    Object.entries((input ?? {}) as Record<string, unknown>).filter(([, value]) => value != null),
  )
  const argumentNames = Object.keys(schema.shape)
  const renamedArguments = Object.fromEntries(
    argumentNames.flatMap((name) => {
      const sentName = [name, ...(aliases[name] ?? [])].find(
        (one) => Object.hasOwn(nonNull, one) && (one === name || !argumentNames.includes(one)),
      )
      return sentName === undefined ? [] : [[name, asNumber(nonNull[sentName])]]
    }),
  )
  const firstTry = schema.safeParse(renamedArguments)
  if (firstTry.success) return firstTry.data
  // A string that looks like a number was converted above. The schema may want the string.
  const numbersAsText = Object.fromEntries(
    Object.entries(renamedArguments).map(([name, value]) => [
      name,
      typeof value === 'number' ? String(value) : value,
    ]),
  )
  const secondTry = schema.safeParse(numbersAsText)
  if (secondTry.success) return secondTry.data
  const withinLimits = schema.safeParse(withinBounds(renamedArguments, firstTry.error.issues))
  if (withinLimits.success) return withinLimits.data
  throw argumentError(argumentNames, nonNull, firstTry.error.issues)
}

/** Replaces a number that is out of bounds by the bound: 100 results where at most 20 are allowed become 20. */
function withinBounds(
  input: Record<string, unknown>,
  issues: readonly z.core.$ZodIssue[],
): Record<string, unknown> {
  const bounds = issues.flatMap((issue): [string, unknown][] => {
    const name = String(issue.path[0])
    if (typeof input[name] !== 'number') return []
    if (issue.code === 'too_big') return [[name, Number(issue.maximum)]]
    if (issue.code === 'too_small') return [[name, Number(issue.minimum)]]
    return []
  })
  return { ...input, ...Object.fromEntries(bounds) }
}

const asNumber = (value: unknown): unknown =>
  typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value

function argumentError(
  argumentNames: readonly string[],
  input: object,
  issues: readonly z.core.$ZodIssue[],
): ApiError {
  const problems = issues.slice(0, 3).map(({ path, code, message }) => {
    const name = path.join('.')
    const isMissing = code === 'invalid_type' && !Object.hasOwn(input, name)
    return isMissing ? `${name} is missing` : `${name}: ${message}`
  })
  const message = `${problems.join('; ')}. The arguments of this tool are ${argumentNames.join(', ') || 'none'}.`
  return new ApiError(422, 'invalid_request', message)
}
