// Accepts arguments as models send them: with other names, null for a missing value, a number as a text or a text as a number, or a
// number that is out of bounds.

import type { z } from 'zod'
import { ApiError } from '../errors.ts'

/** Other names that models have used for arguments. A name that is itself an argument of the tool keeps its meaning. */
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
  const argumentNames = Object.keys(schema.shape)
  const sentArguments = renameArguments(argumentNames, (input ?? {}) as Record<string, unknown>)
  const resultAsSent = schema.safeParse(sentArguments)
  if (resultAsSent.success) return resultAsSent.data
  const convertedArguments = convertTypes(sentArguments, resultAsSent.error.issues)
  const result = schema.safeParse(convertedArguments)
  if (result.success) return result.data
  const withinBounds = schema.safeParse(limitNumbers(convertedArguments, result.error.issues))
  if (withinBounds.success) return withinBounds.data
  throw argumentError(argumentNames, sentArguments, result.error.issues)
}

/** The arguments by their own names, without those that are null. */
function renameArguments(
  argumentNames: readonly string[],
  input: Record<string, unknown>,
): Record<string, unknown> {
  const isSent = (name: string): boolean => Object.hasOwn(input, name) && input[name] != null
  return Object.fromEntries(
    argumentNames.flatMap((name) => {
      const otherNames = (aliases[name] ?? []).filter((alias) => !argumentNames.includes(alias))
      const sentName = [name, ...otherNames].find(isSent)
      return sentName === undefined ? [] : [[name, input[sentName]]]
    }),
  )
}

/** Converts a text of digits to a number, or a number to a text, where the schema does not accept the type that was sent. */
function convertTypes(
  input: Record<string, unknown>,
  issues: readonly z.core.$ZodIssue[],
): Record<string, unknown> {
  const converted = issues.flatMap((issue): [string, unknown][] => {
    if (issue.code !== 'invalid_type' || issue.path.length !== 1) return []
    const name = String(issue.path[0])
    const value = input[name]
    if (issue.expected === 'number' && typeof value === 'string' && /^\d{1,9}$/.test(value))
      return [[name, Number(value)]]
    return issue.expected === 'string' && typeof value === 'number' ? [[name, String(value)]] : []
  })
  return { ...input, ...Object.fromEntries(converted) }
}

/** Replaces a number that is out of bounds with the nearest one that is allowed: 100 results become 20, if that is the maximum. */
function limitNumbers(
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
