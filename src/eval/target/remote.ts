// A running service over HTTP: a workspace that is created for the evaluation and removed after it, or an existing one.

import type { Document, Page, SearchResults, Workspace } from '../../contract/resources.ts'
import { wrongSet } from '../error.ts'
import type { Client } from './client.ts'
import type { FilledTarget, FillOptions, Target } from './target.ts'
import { untilReady, uploadSet } from './upload.ts'

// The highest `limit` of a search.
const MAX_PASSAGES = 20

/** Creates a workspace, fills it and waits until it is ready. `close` removes it. */
export async function fillRemote(client: Client, name: string, options: FillOptions): Promise<FilledTarget> {
  const workspace = await client.json<Workspace>('POST', '/workspaces', {
    name: `eval ${name}`.slice(0, 200),
    description: 'Created by kenning eval, which removes it when it ends.',
  })
  const close = (): Promise<void> => client.unstoppable().json('DELETE', `/workspaces/${workspace.id}`)
  try {
    const { names, unread } = await uploadSet(client, workspace.id, options)
    await untilReady(client, workspace.id, options)
    const search = searchOver(client, workspace.id, names)
    return { description: client.base, workspace: { client, id: workspace.id, names }, search, unread, close }
  } catch (error) {
    await close().catch(() => undefined)
    throw error
  }
}

/** Searches the workspace; documents get their names in the set. */
const searchOver =
  (client: Client, workspaceId: string, names: ReadonlyMap<string, readonly string[]>): Target['search'] =>
  async (query) => {
    const path = `/workspaces/${workspaceId}/search`
    const { data } = await client.json<SearchResults>('POST', path, { query, limit: MAX_PASSAGES })
    return data.map(({ document_id: id, text, page }) => ({
      documents: names.get(id ?? '') ?? [],
      text,
      page: page ?? null,
    }))
  }

/**
 * An existing workspace: nothing is uploaded or removed. The set names the `wanted` documents by id or by title.
 * @throws EvaluationFailed for a name that no document has, or several have
 */
export async function openRemote(
  client: Client,
  workspaceId: string,
  usedNames: ReadonlySet<string>,
): Promise<Target> {
  const workspace = await client.json<Workspace>('GET', `/workspaces/${encodeURIComponent(workspaceId)}`)
  const names = namesOf(await listDocuments(client, workspace.id), usedNames)
  return {
    description: `${client.base}, workspace “${workspace.name}”`,
    workspace: { client, id: workspace.id, names },
    search: searchOver(client, workspace.id, names),
    close: async () => {},
  }
}

async function listDocuments(client: Client, workspaceId: string): Promise<Document[]> {
  const documents: Document[] = []
  let cursor: string | null = null
  do {
    const after: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const page: Page<Document> = await client.json(
      'GET',
      `/workspaces/${workspaceId}/documents?limit=200${after}`,
    )
    documents.push(...page.data)
    cursor = page.next_cursor
  } while (cursor !== null)
  return documents
}

/** Document id → its names in the set. A document that the set does not name gets its title, if no other has it, or its id. */
function namesOf(documents: readonly Document[], usedNames: ReadonlySet<string>): Map<string, string[]> {
  const byTitle = new Map<string, string[]>()
  for (const { id, title } of documents) byTitle.set(title, [...(byTitle.get(title) ?? []), id])
  const ids = new Set(documents.map(({ id }) => id))
  const names = new Map<string, string[]>()
  for (const name of usedNames) {
    const id = ids.has(name.toLowerCase()) ? name.toLowerCase() : onlyIdOf(name, byTitle.get(name) ?? [])
    names.set(id, [...(names.get(id) ?? []), name])
  }
  for (const { id, title } of documents)
    if (!names.has(id)) names.set(id, [byTitle.get(title)?.length === 1 ? title : id])
  return names
}

/** @throws EvaluationFailed unless exactly one document has the title */
function onlyIdOf(title: string, ids: readonly string[]): string {
  const [id, ...others] = ids
  if (id === undefined) throw wrongSet(`No document of the workspace has this id or title: "${title}".`)
  if (others.length) throw wrongSet(`${ids.length} documents have the title "${title}"; use their ids.`)
  return id
}
