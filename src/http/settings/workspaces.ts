// The workspaces of somebody signed in, for pages that let them choose; and where assistants find us.

import { boundTo } from '../../auth/row-security.ts'
import type { Workspace } from '../../contract/resources.ts'
import type { Deps } from '../../ports/deps.ts'
import { listWorkspaces } from '../../workspaces/workspaces.ts'
import type { Visit } from './place.ts'

const MOST = 200

export const workspacesOf = async (deps: Deps, { caller }: Visit): Promise<Workspace[]> =>
  (await listWorkspaces(boundTo(deps, caller), caller, { limit: MOST })).data

/** The address for programs that speak MCP; undefined where it is not served. */
export const mcpAddress = ({ settings }: Deps, { reply }: Visit): string | undefined =>
  reply.server.hasRoute({ method: 'POST', url: '/v1/mcp' }) ? `${settings.baseUrl}/mcp` : undefined
