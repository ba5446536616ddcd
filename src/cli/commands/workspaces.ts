// `kenning workspaces`: lists, creates, renames and deletes workspaces.

import {
  type CommonOptions,
  type Context,
  findWorkspace,
  isConfirmed,
  listAll,
  wholePage,
} from '../context.ts'
import { safe } from '../terminal.ts'

export async function listWorkspaces(context: Context, options: CommonOptions): Promise<void> {
  const { client } = await context.service(options)
  const workspaces = await listAll(client.all('listWorkspaces', { limit: 200 }, { signal: context.signal }))
  if (options.json) return context.printJson(wholePage(workspaces))
  if (workspaces.length === 0)
    return context.terminal.note('You have no workspace yet. Create one: kenning workspaces create NAME')
  const rows = workspaces.map(({ id, name, document_count, ready }) => [
    name,
    String(document_count),
    ready ? 'ready' : 'indexing',
    id,
  ])
  context.terminal.table(['name', 'documents', 'state', 'id'], rows)
}

export async function createWorkspace(
  context: Context,
  name: string,
  options: CommonOptions & { description?: string },
): Promise<void> {
  const { client } = await context.service(options)
  const { description } = options
  const workspace = await client.createWorkspace({
    name,
    ...(description === undefined ? {} : { description }),
  })
  if (options.json) context.printJson(workspace)
  else context.terminal.print(`Created “${safe(workspace.name)}” (${workspace.id}).`)
}

export async function renameWorkspace(
  context: Context,
  idOrName: string,
  name: string,
  options: CommonOptions,
): Promise<void> {
  const { client } = await context.service(options)
  const { id } = await findWorkspace(context, client, idOrName)
  const workspace = await client.updateWorkspace({ workspace_id: id, name })
  if (options.json) context.printJson(workspace)
  else context.terminal.print(`It is now “${safe(workspace.name)}”.`)
}

export async function deleteWorkspace(
  context: Context,
  idOrName: string,
  options: CommonOptions & { yes?: boolean },
): Promise<void> {
  const { client } = await context.service(options)
  const { id, name, document_count } = await findWorkspace(context, client, idOrName)
  const confirmation = {
    question: `Delete “${safe(name)}” with ${document_count} documents, for everyone?`,
    refusal: `This deletes “${safe(name)}” with ${document_count} documents. Add --yes to do it.`,
  }
  if (!(await isConfirmed(context, options.yes, confirmation))) return
  await client.deleteWorkspace({ workspace_id: id })
  context.terminal.note(`Deleted “${safe(name)}”.`)
}
