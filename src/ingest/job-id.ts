// The id of a job begins with the id of its workspace. Requests name only the job, and if workspaces are on several nodes, the id
// says which node to ask (docs/decisions/0039-citus.md).

import { randomBytes } from 'node:crypto'

const ID = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})[0-9a-f]{32}$/

/** A new id: the workspace's id, and 128 random bits, so that it cannot be guessed. */
export const newJobId = (workspaceId: string): string =>
  `${workspaceId.replaceAll('-', '')}${randomBytes(16).toString('hex')}`

/** The workspace of a job. Undefined for an id of an earlier release, which does not contain it. */
export const workspaceOfJobId = (jobId: string): string | undefined => ID.exec(jobId)?.slice(1).join('-')
