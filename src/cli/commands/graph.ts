// `kenning graph` prints the entities that the documents name, and their relations. `kenning themes` prints groups of
// documents and the most important entities.

import type { KenningClient } from '../../client/client.ts'
import type { EntityNeighborhood, EntityPaths, Workspace } from '../../contract/resources.ts'
import { type Context, findWorkspace, isUuid, listAll, type WorkspaceOptions } from '../context.ts'
import { nothingFound, wrongUse } from '../failure.ts'
import { pageSuffix, passageLines } from '../passage.ts'
import { safe, textColumns } from '../terminal.ts'

interface GraphOptions extends WorkspaceOptions {
  type?: string
  depth: number
  evidence?: boolean
  to?: string
  limit: number
}

export async function graph(
  context: Context,
  name: string | undefined,
  options: GraphOptions,
): Promise<void> {
  const { client } = await context.service(options)
  const workspace = await findWorkspace(context, client, options.workspace)
  const target = { context, client, workspace }
  if (name === undefined && options.to !== undefined)
    throw wrongUse('Name both: kenning graph NAME --to OTHER.')
  const listsEntities = name === undefined || (!isUuid(name) && options.type !== undefined)
  if (listsEntities) return printEntities(target, name, options)
  const id = await findEntityId(target, name)
  if (options.to !== undefined) return printConnection(target, id, options.to, options)
  if (options.evidence) return printEvidence(target, id, options)
  const entity = { workspace_id: workspace.id, entity_id: id, depth: options.depth }
  const neighbourhood = await client.getEntity(entity, { signal: context.signal })
  if (options.json) context.printJson(neighbourhood)
  else printNeighbourhood(context, neighbourhood)
}

interface Target {
  context: Context
  client: KenningClient
  workspace: Pick<Workspace, 'id' | 'name'>
}

/** Prints the entities with the name and the type of the options, or the most mentioned ones. */
async function printEntities(
  { context, client, workspace }: Target,
  name: string | undefined,
  { type, limit, json }: GraphOptions,
): Promise<void> {
  const input = {
    workspace_id: workspace.id,
    limit: Math.min(limit, 200),
    ...(name ? { q: name } : {}),
    ...(type ? { type } : {}),
  }
  const page = await client.listEntities(input, { signal: context.signal })
  if (json) return context.printJson(page)
  const rows = page.data.map((entity) => [entity.name, entity.type, String(entity.mention_count), entity.id])
  context.terminal.table(['name', 'type', 'mentions', 'id'], rows)
}

/** The id of the entity that fits the name best. @throws CommandFailed with exit code 4 if there is none */
async function findEntityId({ context, client, workspace }: Target, nameOrId: string): Promise<string> {
  if (isUuid(nameOrId)) return nameOrId
  const input = { workspace_id: workspace.id, q: nameOrId, limit: 1 }
  const [best] = (await client.listEntities(input, { signal: context.signal })).data
  if (!best) throw nothingFound(`Nothing named “${nameOrId}” is in the graph of “${safe(workspace.name)}”.`)
  const names = [best.name, ...(best.aliases ?? [])].map((alias) => alias.toLowerCase())
  if (!names.some((alias) => alias.includes(nameOrId.trim().toLowerCase())))
    context.terminal.note(`“${safe(nameOrId)}” is taken to mean “${safe(best.name)}”.`)
  return best.id
}

/** Prints how two entities are connected. */
async function printConnection(
  target: Target,
  entityId: string,
  otherName: string,
  { json }: GraphOptions,
): Promise<void> {
  const { context, client, workspace } = target
  const otherId = await findEntityId(target, otherName)
  const ends = { workspace_id: workspace.id, entity_id: entityId, other_id: otherId }
  const connection = await client.getEntityPaths(ends, { signal: context.signal })
  if (json) context.printJson(connection)
  else printPaths(context, connection)
}

/** Prints the passages that mention the entity. */
async function printEvidence(
  { context, client, workspace }: Target,
  entityId: string,
  { limit, json }: GraphOptions,
): Promise<void> {
  const { terminal, signal } = context
  const input = { workspace_id: workspace.id, entity_id: entityId, limit: Math.min(limit, 200) }
  if (json) return context.printJson(await client.listEvidence(input, { signal }))
  for (const { title, page, text } of await listAll(client.all('listEvidence', input, { signal }), limit)) {
    terminal.print(`${terminal.paint('bold', safe(title))}${pageSuffix(page)}`)
    terminal.print(passageLines(text, textColumns(terminal), '   ').join('\n'))
  }
}

function printPaths({ terminal }: Context, { from, to, paths, max_steps }: EntityPaths): void {
  if (paths.length === 0)
    throw nothingFound(
      `No chain of at most ${max_steps} relations connects “${safe(from.name)}” and “${safe(to.name)}”.`,
    )
  for (const [i, { steps }] of paths.entries()) {
    if (i > 0) terminal.print('')
    for (const { from, to, type, reversed, passage } of steps) {
      const [source, target] = reversed ? [to, from] : [from, to]
      terminal.print(`${safe(source.name)} — ${safe(type)} → ${safe(target.name)}`)
      if (!passage) continue
      terminal.print(`  ${terminal.paint('bold', safe(passage.title))}${pageSuffix(passage.page)}`)
      terminal.print(
        passageLines(passage.text, textColumns(terminal), '     ').slice(0, MAX_PASSAGE_LINES).join('\n'),
      )
    }
  }
}

const MAX_PASSAGE_LINES = 4

function printNeighbourhood({ terminal }: Context, { entity, outgoing, incoming }: EntityNeighborhood): void {
  terminal.print(
    `${terminal.paint('bold', safe(entity.name))}${entity.type ? `  (${safe(entity.type)})` : ''}`,
  )
  const relationLine = (from: string, type: string, to: string, count: number): string =>
    `  ${safe(from)} — ${safe(type)} → ${safe(to)}${count > 1 ? `  (${count} times)` : ''}`
  for (const relation of outgoing)
    terminal.print(relationLine(entity.name, relation.type, relation.entity.name, relation.evidence_count))
  for (const relation of incoming)
    terminal.print(relationLine(relation.entity.name, relation.type, entity.name, relation.evidence_count))
}

const MAX_GROUPS = 12

export async function themes(context: Context, options: WorkspaceOptions & { limit: number }): Promise<void> {
  const { client } = await context.service(options)
  const { id } = await findWorkspace(context, client, options.workspace)
  const result = await client.getThemes(
    { workspace_id: id, limit: Math.min(options.limit, 100), groups: MAX_GROUPS },
    { signal: context.signal },
  )
  if (options.json) return context.printJson(result)
  const { terminal } = context
  for (const { document_count, terms, entities, quote } of result.groups ?? []) {
    const about = [...terms, ...entities.map(({ name }) => name)].map(safe).join(', ')
    terminal.print(`${terminal.paint('bold', `${document_count} documents`)}  ${about}`)
    if (quote) terminal.print(passageLines(`“${quote.text}”`, textColumns(terminal), '   ').join('\n'))
  }
  if (result.groups?.length) terminal.print('')
  terminal.print(`${result.total_entities} people, organizations, places and things`)
  terminal.table(
    ['type', 'number'],
    result.types.map(({ type, count }) => [type, String(count)]),
  )
  terminal.print('')
  terminal.table(
    ['name', 'type', 'mentions', 'id'],
    result.top_entities.map(({ name, type, mention_count, id: entity }) => [
      name,
      type,
      String(mention_count),
      entity,
    ]),
  )
}
