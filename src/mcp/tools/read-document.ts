// A document's text in reading order, in parts.

import { z } from 'zod'
import { principal } from '../../auth/caller.ts'
import { decodeCursor, encodeCursor } from '../../auth/cursor.ts'
import { text } from '../../contract/fields.ts'
import { ApiError } from '../../errors.ts'
import { documentNamed } from '../documents.ts'
import { cursor, label, next_cursor, workspace } from '../fields.ts'
import { readPart } from '../reading.ts'
import { defineTool, READS } from '../tool.ts'

export const readDocumentTool = defineTool({
  name: 'read_document',
  title: 'Read document',
  description: 'Read a document from the start, from a page, from the passage of a url, or from cursor on.',
  ability: 'read',
  hints: READS,
  input: z.object({
    document: text(1, 500).describe('Its id, title or url'),
    page: z.int().min(1).optional(),
    workspace,
    cursor,
  }),
  output: z.object({
    title: z.string(),
    workspace: label,
    url: z.string(),
    text: z.string(),
    next_cursor,
  }),
  run: async (session, { document: idOrTitle, page, workspace: idOrName, cursor }) => {
    const { deps, caller } = session
    const { workspace, id: document, chunk } = await documentNamed(session, idOrTitle, idOrName)
    const binding = ['mcp document', principal(caller), workspace.id, document]
    const position =
      cursor === undefined ? undefined : decodeCursor<Position>(deps.cursorKey, binding, cursor)
    const start = position?.from ?? (page !== undefined ? { page } : chunk !== undefined ? { chunk } : 0)
    const part = await readPart(session, workspace, document, start)
    if (position && position.version !== part.version) throw documentReplaced()
    if (page !== undefined && part.from >= part.total) throw noSuchPage(page)
    return {
      title: part.title,
      ...workspace.label,
      url: part.url,
      text: part.text,
      ...(part.next < part.total
        ? {
            next_cursor: encodeCursor(deps.cursorKey, binding, {
              version: part.version,
              from: part.next,
            } satisfies Position),
          }
        : {}),
    }
  },
})

interface Position {
  version: string
  from: number
}

const documentReplaced = (): ApiError =>
  new ApiError(
    422,
    'invalid_request',
    'The document was replaced since the previous part. Read it again without a cursor.',
  )

const noSuchPage = (page: number): ApiError =>
  new ApiError(
    404,
    'not_found',
    `The document has no page ${page}, or its pages are not numbered. Read it without page.`,
  )
