// The id of a job begins with the id of its workspace, because requests contain only the job id: if workspaces are on several
// nodes, the id then shows which node has the job (docs/decisions/0039-citus.md).

import { randomBytes } from 'node:crypto'

// The first groups are the parts of the workspace's UUID.
const ID = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})[0-9a-f]{32}$/

/** A new id: the id of the workspace and 128 random bits, which nobody can guess. */
export const newJobId = (workspaceId: string): string =>
  `${workspaceId.replaceAll('-', '')}${randomBytes(16).toString('hex')}`

/** The workspace of a job. Undefined if the id was made by an earlier release, without the id of the workspace. */
export const workspaceOfJobId = (jobId: string): string | undefined => ID.exec(jobId)?.slice(1).join('-')
