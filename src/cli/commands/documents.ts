// `kenning documents`: lists the documents of a workspace, downloads them, moves them to a folder or to
// the trash, and deletes them. `kenning read` prints the text of one.

import { createWriteStream, existsSync } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import type { KenningClient } from '../../client/client.ts'
import { MAX_MOVED_DOCUMENTS, trashBatches } from '../../contract/limits.ts'
import type { MovedDocument } from '../../contract/moves.ts'
import type { Document } from '../../contract/resources.ts'
import type { TrashedDocument } from '../../contract/trash.ts'
import {
  type Context,
  findWorkspace,
  isConfirmed,
  isUuid,
  listAll,
  undefinedIfMissing,
  type WorkspaceOptions,
  wholePage,
} from '../context.ts'
import { nothingFound, wrongUse } from '../failure.ts'
import { safe, safeLines } from '../terminal.ts'

export async function listDocuments(
  context: Context,
  title: string | undefined,
  options: WorkspaceOptions,
): Promise<void> {
  const { client } = await context.service(options)
  const workspace = await findWorkspace(context, client, options.workspace)
  const input = { workspace_id: workspace.id, limit: 200, ...(title === undefined ? {} : { q: title }) }
  const documents = await listAll(client.all('listDocuments', input, { signal: context.signal }))
  if (options.json) context.printJson(wholePage(documents))
  else if (documents.length > 0) {
    const rows = documents.map((document) => [
      document.title,
      String(document.chunk_count),
      document.has_tables ? 'yes' : '',
      document.id,
    ])
    context.terminal.table(['title', 'passages', 'tables', 'id'], rows)
  }
  if (documents.length === 0) throw nothingFound(`There is no such document in “${safe(workspace.name)}”.`)
}

/** The document with that id or title. @throws CommandFailed with exit code 4 if there is none, 2 if several match */
async function findDocument(
  client: KenningClient,
  workspaceId: string,
  idOrTitle: string,
): Promise<Pick<Document, 'id' | 'title'>> {
  if (isUuid(idOrTitle)) {
    const input = { workspace_id: workspaceId, document_id: idOrTitle, max_chars: 2000 }
    const document = await client.readDocument(input).catch(undefinedIfMissing)
    if (document) return document
  }
  const input = { workspace_id: workspaceId, q: idOrTitle, limit: 200 }
  const titleMatches = await listAll(client.all('listDocuments', input))
  const exactMatches = titleMatches.filter(({ title }) => title.toLowerCase() === idOrTitle.toLowerCase())
  const [match, ...otherMatches] = exactMatches.length > 0 ? exactMatches : titleMatches
  if (!match) throw nothingFound(`There is no document “${idOrTitle}”. kenning documents lists all.`)
  if (otherMatches.length === 0) return match
  const lines = [match, ...otherMatches].slice(0, 20).map(({ id, title }) => `  ${id}  ${safe(title)}`)
  throw wrongUse(`Several documents match. Use an id:\n${lines.join('\n')}`)
}

export async function readDocument(
  context: Context,
  idOrTitle: string,
  options: WorkspaceOptions,
): Promise<void> {
  const { client } = await context.service(options)
  const { id: workspaceId } = await findWorkspace(context, client, options.workspace)
  const { id } = await findDocument(client, workspaceId, idOrTitle)
  const { signal } = context
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const input = { workspace_id: workspaceId, document_id: id, max_chars: 60_000, cursor }
    const page = await client.readDocument(input, { signal })
    // Each page is printed at once, so that a long document is never in memory as a whole.
    if (options.json) context.printJson(page)
    else for (const { text } of page.chunks) context.terminal.print(`${safeLines(text)}\n`)
    cursor = page.next_cursor ?? null
  }
}

export async function downloadDocument(
  context: Context,
  idOrTitle: string,
  options: WorkspaceOptions & { output?: string },
): Promise<void> {
  const { client } = await context.service(options)
  const { id: workspaceId } = await findWorkspace(context, client, options.workspace)
  const { id } = await findDocument(client, workspaceId, idOrTitle)
  const { output } = options
  if (output === undefined && context.terminal.isOutputTerminal)
    throw wrongUse('Name the output file: kenning documents download DOCUMENT --output FILE')
  if (output !== undefined && output !== '-' && existsSync(output))
    throw wrongUse(`${output} already exists. Choose another file name.`)
  const { signal } = context
  const response = await client.bytes(
    'getOriginal',
    { workspace_id: workspaceId, document_id: id },
    { signal },
  )
  if (!response.body) return
  const body = Readable.fromWeb(response.body as ReadableStream)
  if (output === undefined || output === '-') await pipeline(body, process.stdout, { end: false, signal })
  else await pipeline(body, createWriteStream(output, { flags: 'wx' }), { signal })
}

export async function deleteDocuments(
  context: Context,
  idsOrTitles: string[],
  options: WorkspaceOptions & { yes?: boolean },
): Promise<void> {
  const { client } = await context.service(options)
  const { id: workspaceId, name } = await findWorkspace(context, client, options.workspace)
  const documents: Pick<Document, 'id' | 'title'>[] = []
  for (const idOrTitle of idsOrTitles) documents.push(await findDocument(client, workspaceId, idOrTitle))
  const titles = documents.map(({ title }) => `  ${safe(title)}`).join('\n')
  const confirmation = {
    question: `Delete ${documents.length === 1 ? 'it' : 'them'} from “${safe(name)}”?`,
    refusal: `This deletes from “${safe(name)}”:\n${titles}\nAdd --yes to do it.`,
    details: titles,
  }
  if (!(await isConfirmed(context, options.yes, confirmation))) return
  for (const { id, title } of documents) {
    await client.deleteDocument({ workspace_id: workspaceId, document_id: id })
    context.terminal.note(`Deleted “${safe(title)}”.`)
  }
}

export async function trashDocuments(
  context: Context,
  idsOrTitles: string[],
  options: WorkspaceOptions,
): Promise<void> {
  const { client } = await context.service(options)
  const { id: workspaceId } = await findWorkspace(context, client, options.workspace)
  const document_ids: string[] = []
  for (const idOrTitle of idsOrTitles)
    document_ids.push((await findDocument(client, workspaceId, idOrTitle)).id)
  const data: TrashedDocument[] = []
  for (const batch of trashBatches(document_ids))
    data.push(...(await client.trashDocuments({ workspace_id: workspaceId, document_ids: batch })).data)
  if (options.json) return context.printJson({ data })
  for (const { title } of data) context.terminal.note(`“${safe(title)}” is in the trash.`)
}

/** Moves documents, or a folder with all that is below it, to a folder. */
export async function moveDocuments(
  context: Context,
  idsOrTitles: string[],
  options: WorkspaceOptions & { to: string; folder?: string },
): Promise<void> {
  const { to, folder } = options
  if ((folder === undefined) === (idsOrTitles.length === 0))
    throw wrongUse('Name documents to move, or a folder with --folder.')
  const { client } = await context.service(options)
  const { id: workspace_id } = await findWorkspace(context, client, options.workspace)
  const data: MovedDocument[] = []
  // Each batch is told when it is moved, because a later one may be refused.
  const tell = (moved: readonly MovedDocument[]): void => {
    data.push(...moved)
    if (options.json) return
    for (const { path, previous_path } of moved)
      context.terminal.note(
        path === previous_path
          ? `${safe(path)} was there already.`
          : `Moved ${safe(previous_path)} to ${safe(path)}.`,
      )
  }
  if (folder !== undefined) tell((await client.moveFolder({ workspace_id, folder, to })).data)
  else {
    const document_ids: string[] = []
    for (const idOrTitle of idsOrTitles)
      document_ids.push((await findDocument(client, workspace_id, idOrTitle)).id)
    for (let from = 0; from < document_ids.length; from += MAX_MOVED_DOCUMENTS) {
      const batch = document_ids.slice(from, from + MAX_MOVED_DOCUMENTS)
      tell((await client.moveDocuments({ workspace_id, document_ids: batch, folder: to })).data)
    }
  }
  if (options.json) context.printJson({ data })
}
