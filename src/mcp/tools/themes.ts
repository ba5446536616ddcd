// The main themes of workspaces.

import { z } from 'zod'
import type { Themes } from '../../contract/resources.ts'
import { getThemes } from '../../themes/themes.ts'
import { countFitting, cutText } from '../budget.ts'
import { label, note, workspace } from '../fields.ts'
import { passageId, shortId } from '../ids.ts'
import { defineTool, READS } from '../tool.ts'
import { workspacesFor } from '../workspaces.ts'

const MAX_ENTITIES = 20
const MAX_ENTITIES_PER_WORKSPACE = 8
const MAX_GROUPS = 8
const MAX_QUOTE_TOKENS = 60

export const themesTool = defineTool({
  name: 'themes',
  title: 'Themes',
  description: 'What documents are about: groups and main entities.',
  ability: 'read',
  hints: READS,
  input: z.object({ workspace }),
  output: z.object({
    themes: z.array(
      z.object({
        workspace: label,
        total: z.int(),
        groups: z.string().optional(),
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
      const request =
        workspaces.length > 1
          ? { limit: MAX_ENTITIES_PER_WORKSPACE, groups: 0 }
          : { limit: MAX_ENTITIES, groups: MAX_GROUPS }
      const result = await getThemes(depsOf(workspace.id), caller, workspace.id, request)
      const groups = result.groups?.map(describe).join('\n')
      const main = result.top_entities.map(({ id, name, type, mention_count: mentions }) => ({
        entity: shortId(id),
        name: cutText(name, 100),
        type,
        mentions,
      }))
      themes.push({
        ...workspace.label,
        total: result.total_entities,
        ...(groups ? { groups } : {}),
        main,
      })
    }
    const fittingThemes = themes.slice(0, countFitting(themes))
    const isTruncated = fittingThemes.length < themes.length
    return {
      themes: fittingThemes,
      ...(isTruncated ? { note: 'There are more workspaces; name one in workspace.' } : {}),
    }
  },
})

/** A group by its terms and names, with a sentence of it and the id of its passage. */
function describe({ document_count, terms, entities, quote }: NonNullable<Themes['groups']>[number]): string {
  const about = cutText([...terms, ...entities.map(({ name }) => name)].join(', '), MAX_QUOTE_TOKENS)
  const source = quote && passageId(quote.document_id, quote.chunk_id)
  const sentence = quote ? ` “${cutText(quote.text, MAX_QUOTE_TOKENS)}” (${source})` : ''
  return `${document_count} documents: ${about}.${sentence}`
}
