// The processes of a running service by what they do.

import type { ProcessRow } from './service.ts'

export const roles: Record<string, (row: ProcessRow) => boolean> = {
  worker: (row) => row.environment.includes('KENNING_CHILD=worker') && /main\.js/.test(row.command),
  parser: (row) => /src\/reader/.test(row.command),
  api: (row) => row.environment.includes('KENNING_CHILD=api'),
  engine: (row) => /embedded\/engine/.test(row.command),
}
