// A running service over HTTP: a workspace made for the evaluation and removed after it, or one that is filled already.

import type { Document, Page, SearchResults, Workspace } from '../../contract/resources.ts'
import { wrongSet } from '../error.ts'
import type { Client } from './client.ts'
import type { Filled, Filling, Target } from './target.ts'
import { untilReady, uploadSet } from './upload.ts'

// The most passages a search gives (spec, "SearchRequest body").
const MOST_PASSAGES = 20
/** Makes a workspace, fills it, waits until it is ready. `close` removes it, whatever happened before. */
export async function fillRemote(client: Client, name: string, filling: Filling): Promise<Filled> {
  const workspace = await client.json<Workspace>('POST', '/workspaces', {
    name: `eval ${name}`.slice(0, 200),
    description: 'Made by kenning eval and removed when it ends.',
  })
  const close = (): Promise<void> => client.unstoppable().json('DELETE', `/workspaces/${workspace.id}`)
  try {
    const { names, unread } = await uploadSet(client, workspace.id, filling)
    await untilReady(client, workspace.id, filling)
    const search = searchOver(client, workspace.id, names)
    return { says: client.base, workspace: { client, id: workspace.id, names }, search, unread, close }
  } catch (error) {
    await close().catch(() => undefined)
    throw error
  }
}

/** The names of passages' documents: the set's where it was uploaded, else the service's own. */
const searchOver =
  (client: Client, workspaceId: string, names: ReadonlyMap<string, readonly string[]>): Target['search'] =>
  async (query) => {
    const path = `/workspaces/${workspaceId}/search`
    const { data } = await client.json<SearchResults>('POST', path, { query, limit: MOST_PASSAGES })
    return data.map(({ document_id: id, text, page }) => ({
      documents: names.get(id ?? '') ?? [],
      text,
      page: page ?? null,
    }))
  }

/**
 * A workspace as it stands: nothing is uploaded or removed. The set names the `wanted` documents by id or by title.
 * @throws EvaluationFailed for a name that no document has, or that two have
 */
export async function askRemote(
  client: Client,
  workspaceId: string,
  wanted: ReadonlySet<string>,
): Promise<Target> {
  const workspace = await client.json<Workspace>('GET', `/workspaces/${encodeURIComponent(workspaceId)}`)
  const names = namesOf(await listDocuments(client, workspace.id), wanted)
  return {
    says: `${client.base}, workspace “${workspace.name}”`,
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

/** Document id → the names the set uses for it; a document it does not name goes by its title where that is its own. */
function namesOf(documents: readonly Document[], wanted: ReadonlySet<string>): Map<string, string[]> {
  const byTitle = new Map<string, string[]>()
  for (const { id, title } of documents) byTitle.set(title, [...(byTitle.get(title) ?? []), id])
  const ids = new Set(documents.map(({ id }) => id))
  const names = new Map<string, string[]>()
  for (const name of wanted) {
    const id = ids.has(name.toLowerCase()) ? name.toLowerCase() : theOneWith(name, byTitle.get(name) ?? [])
    names.set(id, [...(names.get(id) ?? []), name])
  }
  for (const { id, title } of documents)
    if (!names.has(id)) names.set(id, [byTitle.get(title)?.length === 1 ? title : id])
  return names
}

/** @throws EvaluationFailed unless exactly one document has the title */
function theOneWith(title: string, ids: readonly string[]): string {
  const [id, ...others] = ids
  if (id === undefined)
    throw wrongSet(`qrels.tsv: no document of the workspace has the id or title "${title}".`)
  if (others.length)
    throw wrongSet(`qrels.tsv: ${ids.length} documents have the title "${title}"; use their ids.`)
  return id
}
