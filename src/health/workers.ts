// What each worker tells of itself every minute, so that administrators see which ones run.

import type { Deps } from '../ports/deps.ts'
import { upsertReport, type WorkerReport } from './health.sql.ts'

export type ReportDeps = Pick<Deps, 'db' | 'blobs'> & {
  /** Undefined in tests: nothing is told. */
  report?: Omit<WorkerReport, 'ocr'> & { ocr: () => Promise<string> }
}

export async function reportWorker({ db, blobs, report }: ReportDeps): Promise<void> {
  if (!report) return
  // A store that is away at the moment has no size.
  const space = await blobs.space().catch(() => undefined)
  await upsertReport(db, { ...report, ocr: await report.ocr() }, space?.free)
}
