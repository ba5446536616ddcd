// Takes the network and the priority from a parser child. If the sandbox already has no network (sandbox.ts), this is a second
// protection. Otherwise it stops at least all JavaScript libraries.

import { Socket as Datagrams } from 'node:dgram'
import dns from 'node:dns'
import { writeFileSync } from 'node:fs'
import { Server, Socket } from 'node:net'
import { setPriority } from 'node:os'

const refuse = (): never => {
  throw new Error('a parser has no network')
}

/** Disables sockets and name lookups; the channel to the pool stays open. */
export function forbidNetwork(): void {
  Socket.prototype.connect = refuse
  Server.prototype.listen = refuse
  Datagrams.prototype.bind = refuse
  Datagrams.prototype.connect = refuse
  Datagrams.prototype.send = refuse
  for (const method of ['lookup', 'resolve', 'resolve4', 'resolve6', 'reverse'] as const) {
    Object.defineProperty(dns, method, { value: refuse })
    Object.defineProperty(dns.promises, method, { value: refuse })
  }
}

const NICE_VALUE = 5
const OOM_SCORE_ADJUSTMENT = '1000'

/**
 * Lowers the priority of this process, so that searches come first. When memory runs out, the system kills parsers before
 * database and API.
 */
export function lowerPriority(): void {
  try {
    setPriority(NICE_VALUE)
    writeFileSync('/proc/self/oom_score_adj', OOM_SCORE_ADJUSTMENT)
  } catch {
    // Linux only.
  }
}
