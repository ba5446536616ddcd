// Each worker stores a report about itself every minute, so that administrators see which workers run.

import type { Deps } from '../ports/deps.ts'
import { upsertReport, type WorkerReport } from './health.sql.ts'

export type ReportDeps = Pick<Deps, 'db' | 'blobs'> & {
  /** Undefined in tests: no report is stored. */
  report?: Omit<WorkerReport, 'ocr'> & { ocr: () => Promise<string> }
}

export async function reportWorker({ db, blobs, report }: ReportDeps): Promise<void> {
  if (!report) return
  // The free space is unknown while the file storage cannot be reached.
  const space = await blobs.space().catch(() => undefined)
  await upsertReport(db, { ...report, ocr: await report.ocr() }, space?.free)
}
