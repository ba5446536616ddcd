// Every parser child gives up the network and its priority. Giving up the network is a second line of defence if the system
// already runs the child without one (launch.ts). Otherwise it stops at least all JavaScript libraries.

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
  for (const ask of ['lookup', 'resolve', 'resolve4', 'resolve6', 'reverse'] as const) {
    Object.defineProperty(dns, ask, { value: refuse })
    Object.defineProperty(dns.promises, ask, { value: refuse })
  }
}

const NICE = 5
const FIRST_TO_KILL = '1000'

/** Searches come first, and when memory runs out the system kills parsers before database and API. */
export function lowerPriority(): void {
  try {
    setPriority(NICE)
    writeFileSync('/proc/self/oom_score_adj', FIRST_TO_KILL)
  } catch {
    // Linux only.
  }
}
