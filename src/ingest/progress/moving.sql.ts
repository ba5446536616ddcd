
import sql from 'sql-template-tag'
import type { Queryable } from '../../ports/db/db.ts'
import { type FileRow, fileRow } from '../jobs.sql.ts'

/** Only the job's running files and those that ended within the last `seconds`, by two small indexes. */
export const selectMoving = (
  db: Queryable,
  workspaceId: string,
  jobId: string,
  seconds: number,
): Promise<FileRow[]> =>
  db.rows(sql`
    SELECT ${fileRow} FROM job_file
    WHERE workspace_id = ${workspaceId} AND job_id = ${jobId} AND status = 'running'
    UNION ALL
    SELECT ${fileRow} FROM job_file
    WHERE workspace_id = ${workspaceId} AND job_id = ${jobId}
      AND finished_at >= now() - make_interval(secs => ${seconds})`)
