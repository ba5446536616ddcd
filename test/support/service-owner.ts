// A process that starts a service, tells about it, and lives until it is killed.

import { fileURLToPath } from 'node:url'
import { program } from './program.ts'
import { startService } from './service.ts'

const { child, dataDir } = await startService({ main: fileURLToPath(program('small-service')) })
process.send?.({ pid: child.pid, dataDir })
