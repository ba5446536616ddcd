// Waits for jobs by their events, and polls them if a proxy cuts the stream.

import { setTimeout as sleep } from 'node:timers/promises'
import type { KenningClient } from '../../client/client.ts'
import { KenningError } from '../../client/error.ts'
import type { JobProgress } from '../../contract/resources.ts'

const RETRY_MS = 1000
const MAX_FAILURES = 30

/**
 * The job's progress when all its files are searchable.
 * @param report called with the share of the job that is done, 0 to 1
 */
export async function untilSearchable(
  client: KenningClient,
  jobId: string,
  signal: AbortSignal,
  report: (share: number) => void = () => {},
): Promise<JobProgress> {
  const input = { job_id: jobId }
  for (let failures = 0; ; failures++) {
    try {
      for await (const { data } of client.jobEvents(input, { signal })) {
        report(data.progress)
        if (data.status === 'done') break
      }
      const progress = await client.getJobProgress(input, { signal })
      if (progress.status === 'done') return progress
    } catch (error) {
      signal.throwIfAborted()
      // A stream that breaks off is an error of the connection, which fetch reports in its own form.
      if (error instanceof KenningError && error.status !== 0 && error.status < 500) throw error
      if (failures >= MAX_FAILURES) throw error
    }
    await sleep(RETRY_MS, undefined, { signal })
  }
}
