// A worker's process whose event loop stands still for good: it computes, or waits for what never comes. Arguments: the
// connection, and which.

import { setTimeout as sleep } from 'node:timers/promises'
import { keepLeasesInThread } from '../../src/work/leases.ts'

const log = { debug() {}, info() {}, warn() {}, error() {} }
const [, , connection = '', way] = process.argv
// The other limit is never reached.
const limits = way === 'computes' ? { busyMs: 100, silentMs: 1e9 } : { busyMs: 1e9, silentMs: 100 }
keepLeasesInThread(JSON.parse(connection), log, limits)
await sleep(1500)
if (way === 'waits') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
for (;;);
