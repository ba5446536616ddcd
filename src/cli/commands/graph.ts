// `kenning graph` prints the entities that the documents name, and their relations. `kenning themes` prints groups of
// documents and the most important entities.

import type { EntityNeighborhood, EntityPaths } from '../../contract/resources.ts'
import { type Context, findWorkspace, isUuid, listAll, type WorkspaceOptions } from '../context.ts'
import { nothingFound, wrongUse } from '../failure.ts'
import { passageLines } from '../passage.ts'
import { safe } from '../terminal.ts'

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
  const workspaceParameter = { workspace_id: workspace.id }
  const { signal } = context
  const { type, limit } = options
  const entityId = name !== undefined && isUuid(name) ? name : undefined
  if (name === undefined && options.to !== undefined)
    throw wrongUse('Name both: kenning graph NAME --to OTHER.')
  const listsEntities = name === undefined || (entityId === undefined && type !== undefined)
  if (listsEntities) {
    const input = {
      ...workspaceParameter,
      limit: Math.min(limit, 200),
      ...(name ? { q: name } : {}),
      ...(type ? { type } : {}),
    }
    const page = await client.listEntities(input, { signal })
    if (options.json) return context.printJson(page)
    const rows = page.data.map((entity) => [
      entity.name,
      entity.type,
      String(entity.mention_count),
      entity.id,
    ])
    context.terminal.table(['name', 'type', 'mentions', 'id'], rows)
    return
  }
  const idOf = async (nameOrId: string): Promise<string> => {
    if (isUuid(nameOrId)) return nameOrId
    const { data } = await client.listEntities({ ...workspaceParameter, q: nameOrId, limit: 1 }, { signal })
    const [best] = data
    if (best) {
      const names = [best.name, ...(best.aliases ?? [])].map((alias) => alias.toLowerCase())
      if (!names.some((alias) => alias.includes(nameOrId.trim().toLowerCase())))
        context.terminal.note(`“${safe(nameOrId)}” is taken to mean “${safe(best.name)}”.`)
      return best.id
    }
    throw nothingFound(`Nothing named “${nameOrId}” is in the graph of “${safe(workspace.name)}”.`)
  }
  const id = await idOf(name)
  if (options.to !== undefined) {
    const ends = { ...workspaceParameter, entity_id: id, other_id: await idOf(options.to) }
    const connection = await client.getEntityPaths(ends, { signal })
    if (options.json) return context.printJson(connection)
    return printPaths(context, connection)
  }
  if (options.evidence) {
    const input = { ...workspaceParameter, entity_id: id, limit: Math.min(limit, 200) }
    if (options.json) return context.printJson(await client.listEvidence(input, { signal }))
    const evidence = await listAll(client.all('listEvidence', input, { signal }), limit)
    for (const { title, page, text } of evidence) {
      context.terminal.print(
        `${context.terminal.paint('bold', safe(title))}${page === null ? '' : `, page ${page}`}`,
      )
      context.terminal.print(passageLines(text, Math.min(context.terminal.columns, 100), '   ').join('\n'))
    }
    return
  }
  const neighbourhood = await client.getEntity(
    { ...workspaceParameter, entity_id: id, depth: options.depth },
    { signal },
  )
  if (options.json) context.printJson(neighbourhood)
  else printNeighbourhood(context, neighbourhood)
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
      terminal.print(
        `  ${terminal.paint('bold', safe(passage.title))}${passage.page === null ? '' : `, page ${passage.page}`}`,
      )
      terminal.print(
        passageLines(passage.text, Math.min(terminal.columns, 100), '     ')
          .slice(0, MAX_PASSAGE_LINES)
          .join('\n'),
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
    if (quote)
      terminal.print(passageLines(`“${quote.text}”`, Math.min(terminal.columns, 100), '   ').join('\n'))
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
