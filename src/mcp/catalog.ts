// All tools, in the order in which models see them, and the form in which they are listed.

import type { Tool as ListedTool } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { hasAbility } from '../auth/ability.ts'
import type { Caller } from '../auth/caller.ts'
import type { Tool } from './tool.ts'
import { askTool } from './tools/ask.ts'
import { checkTextTool } from './tools/check-text.ts'
import { createWorkspaceTool } from './tools/create-workspace.ts'
import { deleteDocumentTool } from './tools/delete-document.ts'
import { fetchTool } from './tools/fetch.ts'
import { findEntitiesTool } from './tools/find-entities.ts'
import { listDocumentsTool } from './tools/list-documents.ts'
import { listWorkspacesTool } from './tools/list-workspaces.ts'
import { neighboursTool } from './tools/neighbours.ts'
import { readDocumentTool } from './tools/read-document.ts'
import { searchTool } from './tools/search.ts'
import { searchPassagesTool } from './tools/search-passages.ts'
import { themesTool } from './tools/themes.ts'
import { uploadTextTool } from './tools/upload-text.ts'

export const catalog: readonly Tool[] = [
  searchTool,
  fetchTool,
  askTool,
  checkTextTool,
  searchPassagesTool,
  readDocumentTool,
  listDocumentsTool,
  findEntitiesTool,
  neighboursTool,
  themesTool,
  listWorkspacesTool,
  uploadTextTool,
  createWorkspaceTool,
  deleteDocumentTool,
]

const byName = new Map(catalog.map((tool) => [tool.name, tool]))
export const findTool = (name: string): Tool | undefined => byName.get(name)

const listedEntries = catalog.map((tool) => ({ tool, entry: entryOf(tool) }))

/** The tools that the caller's credential allows, always in the same order. */
export const listedTools = (caller: Caller): ListedTool[] =>
  listedEntries.filter(({ tool }) => hasAbility(caller, tool.ability)).map(({ entry }) => entry)

function entryOf({ name, title, description, input, output, hints }: Tool): ListedTool {
  return {
    name,
    title,
    description,
    inputSchema: schemaOf(input, 'input'),
    outputSchema: schemaOf(output, 'output'),
    annotations: { ...hints },
  } as ListedTool
}

/**
 * The JSON Schema of a tool, without the keywords that a model can do without. Connected models read the schemas in every
 * conversation, so each keyword costs tokens.
 */
function schemaOf(schema: z.ZodType, io: 'input' | 'output'): unknown {
  const {
    $schema: _dialect,
    $defs: _definitions,
    ...json
  } = z.toJSONSchema(schema, {
    io,
    override: ({ jsonSchema }) => {
      delete jsonSchema.additionalProperties
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
      // The pattern repeats what `format` says.
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern
      delete jsonSchema.minLength
      delete jsonSchema.maxLength
    },
  })
  return json
}
