// The workspace of a running service as a target, over HTTP. It is created for the evaluation and removed after it, or exists
// already.

import type { KenningClient } from '../../client/client.ts'
import type { Document } from '../../contract/resources.ts'
import { wrongSet } from '../error.ts'
import type { FilledTarget, FillOptions, Target } from './target.ts'
import { untilReady, uploadSet } from './upload.ts'

// The highest `limit` of a search.
const MAX_PASSAGES = 20

export interface RemoteService {
  /** `{origin}/v1` */
  base: string
  /** A client that `stop` ends. */
  connect(stop?: AbortSignal): KenningClient
}

/** Creates a workspace, fills it and waits until it is ready. `close` removes it. */
export async function fillRemote(
  { base, connect }: RemoteService,
  name: string,
  options: FillOptions,
): Promise<FilledTarget> {
  const client = connect(options.signal)
  const { id } = await client.createWorkspace({
    name: `eval ${name}`.slice(0, 200),
    description: 'Created by kenning eval, which removes it when it ends.',
  })
  // Uses a client without the signal, since it also has to run after the evaluation was stopped.
  const close = (): Promise<void> => connect().deleteWorkspace({ workspace_id: id })
  try {
    const { names, unread } = await uploadSet(client, id, options)
    await untilReady(client, id, options)
    const search = searchOver(client, id, names)
    return { description: base, workspace: { client, id, names }, search, unread, close }
  } catch (error) {
    await close().catch(() => undefined)
    throw error
  }
}

/** Searches the workspace; documents get their names in the set. */
const searchOver =
  (
    client: KenningClient,
    workspaceId: string,
    names: ReadonlyMap<string, readonly string[]>,
  ): Target['search'] =>
  async (query) => {
    const { data } = await client.search({ workspace_id: workspaceId, query, limit: MAX_PASSAGES })
    return data.map(({ document_id: id, text, page }) => ({
      documents: names.get(id ?? '') ?? [],
      text,
      page: page ?? null,
    }))
  }

interface OpenOptions {
  workspaceId: string
  usedNames: ReadonlySet<string>
  signal: AbortSignal
}

/**
 * An existing workspace: nothing is uploaded or removed. The set names the documents `usedNames` by id or by title.
 * @throws EvaluationFailed for a name that no document has, or several have
 */
export async function openRemote(
  { base, connect }: RemoteService,
  { workspaceId, usedNames, signal }: OpenOptions,
): Promise<Target> {
  const client = connect(signal)
  const { id, name } = await client.getWorkspace({ workspace_id: workspaceId })
  const documents: Document[] = []
  for await (const document of client.all('listDocuments', { workspace_id: id, limit: 200 }))
    documents.push(document)
  const names = namesOf(documents, usedNames)
  return {
    description: `${base}, workspace “${name}”`,
    workspace: { client, id, names },
    search: searchOver(client, id, names),
    close: async () => {},
  }
}

/** Document id → its names in the set. A document without a name gets its title if no other document has it; otherwise its id. */
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
