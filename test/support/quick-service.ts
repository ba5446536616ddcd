// The built service on a copy of a migrated database, for tests that are not about the first start: making and migrating
// one takes 8 s of processor time.

import { rmSync } from 'node:fs'
import { migratedDirectory } from './database.ts'
import { type Service, type ServiceOptions, startService } from './service.ts'

export async function quickService(options: Omit<ServiceOptions, 'dataDir'> = {}): Promise<Service> {
  const dataDir = await migratedDirectory()
  const service = await startService({ ...options, dataDir })
  // After the service's own listener, which ends it.
  process.once('exit', () => rmSync(dataDir, { recursive: true, force: true }))
  return service
}
