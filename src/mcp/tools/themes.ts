// The main themes of workspaces.

import { z } from 'zod'
import { getThemes } from '../../graph/entities.ts'
import { countFitting, cutText } from '../budget.ts'
import { label, note, workspace } from '../fields.ts'
import { shortId } from '../ids.ts'
import { defineTool, READS } from '../tool.ts'
import { workspacesFor } from '../workspaces.ts'

const MAX_ENTITIES = 20
const MAX_ENTITIES_PER_WORKSPACE = 8

export const themesTool = defineTool({
  name: 'themes',
  title: 'Themes',
  description: 'What the documents are about: the main entities of each workspace.',
  ability: 'read',
  hints: READS,
  input: z.object({ workspace }),
  output: z.object({
    themes: z.array(
      z.object({
        workspace: label,
        total: z.int(),
        main: z.array(
          z.object({ entity: z.string(), name: z.string(), type: z.string(), mentions: z.int() }),
        ),
      }),
    ),
    note,
  }),
  run: async (session, { workspace: idOrName }) => {
    const { deps, caller, depsOf, signal } = session
    const { workspaces } = await workspacesFor(deps, caller, idOrName)
    const themes = []
    for (const workspace of workspaces) {
      signal.throwIfAborted()
      const limit = workspaces.length > 1 ? MAX_ENTITIES_PER_WORKSPACE : MAX_ENTITIES
      const result = await getThemes(depsOf(workspace.id), caller, workspace.id, limit)
      const main = result.top_entities.map(({ id, name, type, mention_count: mentions }) => ({
        entity: shortId(id),
        name: cutText(name, 100),
        type,
        mentions,
      }))
      themes.push({ ...workspace.label, total: result.total_entities, main })
    }
    const fittingThemes = themes.slice(0, countFitting(themes))
    const isTruncated = fittingThemes.length < themes.length
    return {
      themes: fittingThemes,
      ...(isTruncated ? { note: 'There are more workspaces; name one in workspace.' } : {}),
    }
  },
})
