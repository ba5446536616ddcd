// A new workspace, whose owner the caller is.

import { z } from 'zod'
import { WorkspaceCreate } from '../../contract/resources.ts'
import { createWorkspace } from '../../workspaces/workspaces.ts'
import { workspaceUrl } from '../links.ts'
import { ADDS, defineTool } from '../tool.ts'

export const createWorkspaceTool = defineTool({
  name: 'create_workspace',
  title: 'Create workspace',
  description: 'Create a workspace, only if the user asked for it.',
  ability: 'write',
  hints: ADDS,
  input: WorkspaceCreate,
  output: z.object({ workspace: z.string(), name: z.string(), url: z.string() }),
  run: async ({ deps, caller }, { name, description }) => {
    const { id } = await createWorkspace(deps, caller, { name, description })
    return { workspace: id, name, url: workspaceUrl(deps.settings, id) }
  },
})
