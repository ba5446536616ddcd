// A process that starts an engine on its first argument, tells about it, and lives until it is killed.

import { startEngine } from '../../src/processes/engine.ts'
import { testLog } from './database.ts'

const engine = await startEngine({ dataDir: process.argv[2] ?? '', log: testLog })
process.send?.({ pid: engine.pid(), socketDir: engine.socketDir })
