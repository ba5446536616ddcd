// A worker's process whose event loop stands still for good. Argument: the connection.

import { setTimeout as sleep } from 'node:timers/promises'
import { keepLeasesInThread } from '../../src/work/leases.ts'

const log = { debug() {}, info() {}, warn() {}, error() {} }
keepLeasesInThread(JSON.parse(process.argv[2] ?? ''), log, 100)
await sleep(1500)
for (;;);
