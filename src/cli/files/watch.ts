// Waits until jobs are done. It reads their event streams, and polls if a proxy ends a stream.

import { setTimeout as sleep } from 'node:timers/promises'
import type { KenningClient } from '../../client/client.ts'
import { KenningError } from '../../client/error.ts'
import type { JobProgress } from '../../contract/resources.ts'

const RETRY_MS = 1000
const MAX_FAILURES = 30

/**
 * Waits until all files of the job are searchable, and returns its progress.
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
      // A broken connection is retried. fetch reports it with an error of its own.
      if (error instanceof KenningError && error.status !== 0 && error.status < 500) throw error
      if (failures >= MAX_FAILURES) throw error
    }
    await sleep(RETRY_MS, undefined, { signal })
  }
}
