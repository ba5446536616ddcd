// `kenning trash` lists what is in the trash, restores it or deletes it for good. `kenning documents trash` and `kenning workspaces
// trash` move things there.

import type { KenningClient } from '../../client/client.ts'
import { trashBatches } from '../../contract/limits.ts'
import type { TrashedDocument, TrashedWorkspace } from '../../contract/trash.ts'
import {
  type CommonOptions,
  type Context,
  findWorkspace,
  isConfirmed,
  listAll,
  type WorkspaceOptions,
  wholePage,
} from '../context.ts'
import { nothingFound, wrongUse } from '../failure.ts'
import { safe } from '../terminal.ts'

const listTrashed = (client: KenningClient, workspaceId: string): Promise<TrashedDocument[]> =>
  listAll(client.all('listTrash', { workspace_id: workspaceId, limit: 200 }))

export async function listTrash(context: Context, options: WorkspaceOptions): Promise<void> {
  const { client } = await context.service(options)
  const { id, name } = await findWorkspace(context, client, options.workspace)
  const documents = await listTrashed(client, id)
  if (options.json) return context.printJson(wholePage(documents))
  if (documents.length === 0) return context.terminal.note(`The trash of “${safe(name)}” is empty.`)
  const rows = documents.map((document) => [
    document.title,
    document.filename,
    document.expires_at.slice(0, 10),
    document.id,
  ])
  context.terminal.table(['title', 'file', 'until', 'id'], rows)
}

export async function listTrashedWorkspaces(context: Context, options: CommonOptions): Promise<void> {
  const { client } = await context.service(options)
  const workspaces = await client.listTrashedWorkspaces({})
  if (options.json) return context.printJson(workspaces)
  if (workspaces.data.length === 0) return context.terminal.note('No workspace of yours is in the trash.')
  const rows = workspaces.data.map(({ id, name, document_count, expires_at }) => [
    name,
    String(document_count),
    expires_at.slice(0, 10),
    id,
  ])
  context.terminal.table(['name', 'documents', 'until', 'id'], rows)
}

/**
 * The item with the id, otherwise the items with the name, the latest first.
 * @throws CommandFailed (4) if there is none
 */
function matchTrashed<Item extends { id: string }>(
  items: readonly Item[],
  idOrName: string,
  namesOf: (item: Item) => string[],
): [Item, ...Item[]] {
  const lowerCaseName = idOrName.toLowerCase()
  const byId = items.find(({ id }) => id === lowerCaseName)
  if (byId) return [byId]
  const [match, ...otherMatches] = items.filter((item) =>
    namesOf(item).some((name) => name.toLowerCase() === lowerCaseName),
  )
  if (match) return [match, ...otherMatches]
  throw nothingFound(`“${idOrName}” is not in the trash. kenning trash lists what is there.`)
}

const matchDocuments = (documents: readonly TrashedDocument[], idOrTitle: string) =>
  matchTrashed(documents, idOrTitle, ({ title, filename }) => [title, filename])

/** The latest match: a document that was restored and moved to the trash again is there more than once. */
const latestMatch = (documents: readonly TrashedDocument[], idOrTitle: string): TrashedDocument =>
  matchDocuments(documents, idOrTitle)[0]

/**
 * The only match.
 * @throws CommandFailed (2) if there are several, because deleting for good cannot be undone; (4) if there is none
 */
export function onlyMatch(documents: readonly TrashedDocument[], idOrTitle: string): TrashedDocument {
  const matches = matchDocuments(documents, idOrTitle)
  if (matches.length === 1) return matches[0]
  const lines = matches
    .slice(0, 20)
    .map(({ id, filename, trashed_at }) => `  ${id}  ${safe(filename)}  ${trashed_at.slice(0, 10)}`)
  throw wrongUse(`Several documents in the trash match “${safe(idOrTitle)}”. Use an id:\n${lines.join('\n')}`)
}

async function findTrashed(
  context: Context,
  idsOrTitles: readonly string[],
  options: WorkspaceOptions,
  selectMatch: typeof latestMatch,
): Promise<{ client: KenningClient; workspaceId: string; documents: TrashedDocument[] }> {
  const { client } = await context.service(options)
  const { id: workspaceId } = await findWorkspace(context, client, options.workspace)
  const trashedDocuments = await listTrashed(client, workspaceId)
  return {
    client,
    workspaceId,
    documents: idsOrTitles.map((idOrTitle) => selectMatch(trashedDocuments, idOrTitle)),
  }
}

export async function restoreDocuments(
  context: Context,
  idsOrTitles: string[],
  options: WorkspaceOptions,
): Promise<void> {
  const { client, workspaceId, documents } = await findTrashed(context, idsOrTitles, options, latestMatch)
  const titles = new Map(documents.map(({ id, title }) => [id, title]))
  for (const trash_ids of trashBatches([...titles.keys()])) {
    const job = await client.restoreDocuments({ workspace_id: workspaceId, trash_ids })
    if (options.json) context.printJson(job)
    else {
      for (const id of trash_ids) context.terminal.note(`Restored “${safe(titles.get(id) ?? '')}”.`)
      context.terminal.note(
        trash_ids.length === 1
          ? `It can be searched when it is read again: kenning jobs ${job.id} --watch`
          : `They can be searched when they are read again: kenning jobs ${job.id} --watch`,
      )
    }
  }
}

export async function deleteTrashed(
  context: Context,
  idsOrTitles: string[],
  options: WorkspaceOptions & { yes?: boolean },
): Promise<void> {
  const { client, workspaceId, documents } = await findTrashed(context, idsOrTitles, options, onlyMatch)
  const titles = documents.map(({ title }) => `  ${safe(title)}`).join('\n')
  const confirmation = {
    question: `Delete ${documents.length === 1 ? 'it' : 'them'} for good?`,
    refusal: `This deletes for good:\n${titles}\nAdd --yes to do it.`,
    details: titles,
  }
  if (!(await isConfirmed(context, options.yes, confirmation))) return
  for (const { id, title } of documents) {
    await client.deleteTrashed({ workspace_id: workspaceId, trash_id: id })
    context.terminal.note(`Deleted “${safe(title)}” for good.`)
  }
}

export async function trashWorkspace(
  context: Context,
  idOrName: string,
  options: CommonOptions,
): Promise<void> {
  const { client } = await context.service(options)
  const { id, name } = await findWorkspace(context, client, idOrName)
  await client.trashWorkspace({ workspace_id: id })
  context.terminal.note(`“${safe(name)}” is in the trash. Bring it back: kenning workspaces restore ${id}`)
}

export async function restoreWorkspace(
  context: Context,
  idOrName: string,
  options: CommonOptions,
): Promise<void> {
  const { client } = await context.service(options)
  const { data } = await client.listTrashedWorkspaces({})
  const [{ id }] = matchTrashed(data, idOrName, ({ name }: TrashedWorkspace) => [name])
  const workspace = await client.restoreWorkspace({ workspace_id: id })
  if (options.json) context.printJson(workspace)
  else context.terminal.print(`“${safe(workspace.name)}” is back.`)
}
