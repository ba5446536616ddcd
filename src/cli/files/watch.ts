// Waits until jobs are done. It reads their event streams, and polls if a proxy ends a stream.

import { setTimeout as sleep } from 'node:timers/promises'
import type { KenningClient } from '../../client/client.ts'
import { KenningError } from '../../client/error.ts'
import type { JobProgress } from '../../contract/resources.ts'

const RETRY_MS = 1000
// From this round on, an error is no longer followed by another round.
const MAX_ROUNDS = 30

/**
 * Whether a repetition of the request would fail, too. A broken connection, which the client reports with status 0 or fetch with an
 * error of its own, and a service that restarts are temporary.
 */
export const isPermanent = (error: unknown): boolean =>
  error instanceof KenningError && error.status !== 0 && error.status < 500

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
  for (let round = 0; ; round++) {
    try {
      for await (const { data } of client.jobEvents(input, { signal })) {
        report(data.progress)
        if (data.status === 'done') break
      }
      const progress = await client.getJobProgress(input, { signal })
      if (progress.status === 'done') return progress
    } catch (error) {
      signal.throwIfAborted()
      if (isPermanent(error) || round >= MAX_ROUNDS) throw error
    }
    await sleep(RETRY_MS, undefined, { signal })
  }
}
