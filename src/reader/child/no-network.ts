// The second wall against calls to the outside: where the system gives the child no network of its own (launch.ts) this
// is never reached; elsewhere no JavaScript library in the child can open a connection or ask a name server.

import { Socket as Datagrams } from 'node:dgram'
import dns from 'node:dns'
import { Server, Socket } from 'node:net'

const refuse = (): never => {
  throw new Error('a parser has no network')
}

/** From here on sockets cannot be connected, listened on or sent from; the channel to the pool stays. */
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
