// The id of a job begins with its workspace. A job is looked up by its id alone, so that where workspaces are on several nodes
// only one of them has to be asked (docs/decisions/0039-citus.md).

import { randomBytes } from 'node:crypto'

const ID = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})[0-9a-f]{32}$/

/** A new id: the workspace, and 128 random bits, so that ids cannot be guessed. */
export const newJobId = (workspaceId: string): string =>
  `${workspaceId.replaceAll('-', '')}${randomBytes(16).toString('hex')}`

/** The workspace that an id names. Undefined for an id of an earlier version, which names none. */
export const workspaceIn = (jobId: string): string | undefined => ID.exec(jobId)?.slice(1).join('-')
