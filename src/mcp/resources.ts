// Documents as resources, which people attach to a conversation by hand.

import {
  type ListResourcesResult,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  ResourceNotFoundError,
} from '@modelcontextprotocol/server'
import { listDocuments } from '../documents/documents.ts'
import { ApiError } from '../errors.ts'
import { isId } from './ids.ts'
import { listByWorkspace } from './paging.ts'
import { readPart } from './reading.ts'
import type { Session } from './tool.ts'
import { MAX_WORKSPACES, objectNamed, workspacesFor } from './workspaces.ts'

const PAGE_SIZE = 100
const PREFIX = 'kenning://documents/'
const MARKDOWN = 'text/markdown'

export const TEMPLATES = [
  {
    uriTemplate: `${PREFIX}{document}`,
    name: 'document',
    title: 'Document',
    description: 'The text of a document by its id.',
    mimeType: MARKDOWN,
  },
]

export async function listResources(session: Session, cursor?: string): Promise<ListResourcesResult> {
  const { deps, caller, depsOf } = session
  const { workspaces } = await workspacesFor(deps, caller, undefined, MAX_WORKSPACES)
  const page = { limit: PAGE_SIZE, cursor }
  const { items, next_cursor } = await listByWorkspace(session, workspaces, page, async (workspace, page) => {
    const { data, ...next } = await listDocuments(depsOf(workspace.id), caller, workspace.id, page)
    const resources = data.map(({ id, title }) => ({
      uri: `${PREFIX}${id}`,
      name: title,
      ...(workspace.label.workspace === undefined ? {} : { description: workspace.label.workspace }),
      mimeType: MARKDOWN,
    }))
    return { data: resources, ...next }
  })
  return { resources: items, ...(next_cursor === undefined ? {} : { nextCursor: next_cursor }) }
}

/** The beginning of a long document, with a sentence on how to read on. */
export async function readResource(session: Session, uri: string): Promise<ReadResourceResult> {
  const id = uri.startsWith(PREFIX) ? uri.slice(PREFIX.length) : ''
  if (!isId(id)) throw new ResourceNotFoundError(uri)
  const { text, next, total } = await readPartOf(session, id, uri)
  const continuation = `\n\n[Passages ${next + 1} to ${total} follow: fetch with the id "${id}+${next}".]`
  return { contents: [{ uri, mimeType: MARKDOWN, text: next < total ? text + continuation : text }] }
}

async function readPartOf(session: Session, id: string, uri: string) {
  try {
    const name = { kind: 'document', id, idOrName: undefined } as const
    const document = await objectNamed(session.deps, session.caller, name)
    return await readPart(session, document.workspace, document.id, 0)
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) throw new ResourceNotFoundError(uri)
    throw error
  }
}

/** Turns an error into one of the protocol, the only way to send a message with it. */
export const asProtocolError = (error: unknown, explain: (error: unknown) => string): ProtocolError => {
  if (error instanceof ProtocolError) return error
  const isClientError = error instanceof ApiError && error.status < 500
  return new ProtocolError(
    isClientError ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError,
    explain(error),
  )
}
