// The built service on a copy of a migrated database, for tests that are not about the first start: making and migrating
// one takes 8 s of processor time.

import { migratedDirectory } from './database.ts'
import { type Service, type ServiceOptions, startService } from './service.ts'

export const quickService = async (
  options: Omit<ServiceOptions, 'dataDir' | 'temporary'> = {},
): Promise<Service> => startService({ ...options, dataDir: await migratedDirectory(), temporary: true })
