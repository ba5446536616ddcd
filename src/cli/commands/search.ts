// `kenning search` prints passages, best first.

import { type KenningClient, KenningError, type Output } from '../../client/client.ts'
import type { Workspace } from '../../contract/resources.ts'
import { type Context, findWorkspace, type WorkspaceOptions } from '../context.ts'
import { nothingFound } from '../failure.ts'
import { pageSuffix, passageLines } from '../passage.ts'
import { safe, type Terminal, textColumns } from '../terminal.ts'

type Passage = Output<'search'>['data'][number]

const MAX_PASSAGE_LINES = 6

export async function search(
  context: Context,
  query: string,
  options: WorkspaceOptions & { limit: number; scope?: string },
): Promise<void> {
  const { client } = await context.service(options)
  const workspace = await findWorkspace(context, client, options.workspace)
  const { limit, scope } = options
  const request = { workspace_id: workspace.id, query, limit, ...(scope === undefined ? {} : { scope }) }
  const result = await client.search(request, { signal: context.signal }).catch(async (error: unknown) => {
    if (!(error instanceof KenningError) || error.status !== 404 || scope === undefined) throw error
    throw nothingFound(await unknownScopeMessage(client, workspace, scope))
  })
  if (options.json) context.printJson(result)
  else for (const [index, chunk] of result.data.entries()) printPassage(context.terminal, chunk, index + 1)
  if (result.data.length === 0) throw nothingFound(`Nothing was found in “${safe(workspace.name)}”.`)
}

const MAX_SCOPES = 20

async function unknownScopeMessage(
  client: KenningClient,
  { id, name }: Pick<Workspace, 'id' | 'name'>,
  scope: string,
): Promise<string> {
  const scopes = (await client.listScopes({ workspace_id: id })).data
  const kind = `${scope.split(':')[0]}:`
  // Scopes of the same kind come first: for `folder:Contarcts` the folders.
  const names = scopes
    .map((listedScope) => listedScope.name)
    .sort((a, b) => Number(b.startsWith(kind)) - Number(a.startsWith(kind)))
  const sentence = `There is no scope “${safe(scope)}” in “${safe(name)}”.`
  if (names.length === 0) return `${sentence} It has none: search without --scope.`
  const omittedNote = names.length > MAX_SCOPES ? `\n  … and ${names.length - MAX_SCOPES} more` : ''
  return `${sentence} Use --scope with one of these:\n  ${names.slice(0, MAX_SCOPES).map(safe).join('\n  ')}${omittedNote}`
}

function printPassage(
  terminal: Terminal,
  { document_title, page, text }: Passage,
  resultNumber: number,
): void {
  const title = terminal.paint('bold', safe(document_title ?? 'untitled'))
  terminal.print(`${resultNumber}. ${title}${terminal.paint('dim', pageSuffix(page))}`)
  const lines = passageLines(text, textColumns(terminal), '   ')
  terminal.print(
    lines.slice(0, MAX_PASSAGE_LINES).join('\n') + (lines.length > MAX_PASSAGE_LINES ? ' …' : ''),
  )
}
