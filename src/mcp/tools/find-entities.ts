// People, organizations, places and things of the knowledge graph.

import { z } from 'zod'
import { text } from '../../contract/fields.ts'
import { listEntities } from '../../graph/entities.ts'
import { countFitting, cutText } from '../budget.ts'
import { type EntityMatch, entitiesNamed } from '../entities.ts'
import { cursor, label, next_cursor, workspace } from '../fields.ts'
import { shortId } from '../ids.ts'
import { listByWorkspace } from '../paging.ts'
import { defineTool, READS } from '../tool.ts'
import { MAX_WORKSPACES, workspacesFor } from '../workspaces.ts'

const PAGE_SIZE = 50

export const findEntitiesTool = defineTool({
  name: 'find_entities',
  title: 'Find entities',
  description:
    'Find people, organizations and things that documents mention, by name or meaning, or list them.',
  ability: 'read',
  hints: READS,
  input: z.object({ query: text(1, 2000).optional(), type: text(1, 200).optional(), workspace, cursor }),
  output: z.object({
    entities: z.array(
      z.object({
        entity: z.string(),
        name: z.string(),
        type: z.string(),
        mentions: z.int(),
        workspace: label,
      }),
    ),
    next_cursor,
  }),
  run: async (session, { query, type, workspace: idOrName, cursor }) => {
    const { deps, caller, depsOf } = session
    if (query?.trim()) {
      const { workspaces } = await workspacesFor(deps, caller, idOrName)
      const entities = (await entitiesNamed(session, workspaces, query, type))
        .slice(0, PAGE_SIZE)
        .map(toOutput)
      return { entities: entities.slice(0, countFitting(entities)) }
    }
    const { workspaces } = await workspacesFor(deps, caller, idOrName, MAX_WORKSPACES)
    const { items, next_cursor } = await listByWorkspace(
      session,
      workspaces,
      { limit: PAGE_SIZE, cursor },
      async (workspace, page) => {
        const { data, ...next } = await listEntities(depsOf(workspace.id), caller, workspace.id, {
          ...page,
          type,
        })
        return { data: data.map((entity) => toOutput({ ...entity, workspace })), ...next }
      },
    )
    return { entities: items, ...(next_cursor === undefined ? {} : { next_cursor }) }
  },
})

const toOutput = ({ id, name, type, mention_count: mentions, workspace }: EntityMatch) => ({
  entity: shortId(id),
  name: cutText(name, 100),
  type,
  mentions,
  ...workspace.label,
})
