// Serves the embedded engine on a Unix socket in the PostgreSQL protocol, so that every process can use plain `pg`. This file
// handles the sockets; turns.ts decides which unit runs next.

import { rm } from 'node:fs/promises'
import { createServer, type Server, type Socket } from 'node:net'
import { BACKGROUND_NAME } from '../../db.ts'
import type { LogSync } from '../durable-files.ts'
import { prepareStatements, type RawEngine } from './prepared.ts'
import { type Session, type Turns, takeTurns } from './turns.ts'
import { type Piece, ProtocolViolation, type UnitReader, unitReader } from './units.ts'
import {
  endsReady,
  fatal,
  message,
  negotiateVersion,
  requestCode,
  simpleQuery,
  startupParameter,
  welcome,
} from './wire.ts'

export interface ServerLimits {
  /** Bytes of one statement with its parameters, which PGlite copies into its own memory. */
  maxUnitBytes: number
  maxClients: number
  /** After this time without a message from its client, a transaction is rolled back and the client is disconnected. */
  idleTransactionMs: number
}

export const defaultLimits: ServerLimits = {
  maxUnitBytes: 64 * 1024 * 1024,
  maxClients: 200,
  idleTransactionMs: 10_000,
}

export interface ProtocolServer {
  /** Runs `work` alone, outside any transaction. */
  between<T>(work: () => Promise<T>): Promise<T>
  /** As `Turns.probe`. */
  probe(work: () => Promise<void>): Promise<void>
  clients(): number
  waiting(): number
  /** Disconnects everyone, rolls back an open transaction, removes the socket. */
  close(): Promise<void>
}

interface Client {
  id: number
  socket: Socket
  reader: UnitReader
  inFlight: number // units in the queue that are not answered yet
  unsent: Promise<void> | undefined // the answer that waits for the log; later answers are sent after it
  isBackground: boolean
  leaving: boolean // the client sent Terminate: the socket closes when its last unit is answered
}

interface Options {
  engine: RawEngine
  log: LogSync
  socketPath: string
  /** Server parameters that each client is sent (server_version and so on). */
  parameters: Record<string, string>
  limits?: Partial<ServerLimits>
  /** Called when the engine gave an incomplete answer. The process must end and be started again. */
  onBroken(error: Error): void
}

/** What the parts of a running server share. */
interface Serving {
  options: Options
  limits: ServerLimits
  turns: Turns<Client>
  clients: Set<Client>
  lastId: number
}

/** Starts serving; resolves when clients can connect. Removes an old socket file first. */
export async function serveEngine(options: Options): Promise<ProtocolServer> {
  const limits = { ...defaultLimits, ...options.limits }
  const turns = takeTurns(sessionOf(options), limits.idleTransactionMs)
  const serving: Serving = { options, limits, turns, clients: new Set(), lastId: 0 }
  const server = await listen(options.socketPath, (socket) => accept(serving, socket))
  return {
    between: turns.between,
    probe: turns.probe,
    clients: () => serving.clients.size,
    waiting: turns.waiting,
    async close() {
      server.close()
      for (const client of serving.clients) {
        dismiss(client, '57P01', 'the embedded engine is shutting down')
        // Immediately, because its waiting units must not run on an engine that is being closed.
        turns.leave(client)
      }
      await turns.between(async () => {})
      await rm(options.socketPath, { force: true })
    },
  }
}

function sessionOf({ engine, log, onBroken }: Options): Session<Client> {
  const runUnit = prepareStatements(engine)
  // The last sync that a waiting client requested. No client gets an answer that depends on data which may still be lost.
  let due = 0
  return {
    isBackground: (client) => client.isBackground,
    async run(client, unit) {
      const before = log.asked()
      const bytes = await runUnit(withoutCopyIn(unit))
      // An answer without its end, then a blocked event loop: seen with jsonb nested 6,000 levels deep and with a full disk.
      if (!endsReady(bytes)) {
        client.socket.write(bytes)
        throw new Error('the embedded engine gave an incomplete answer')
      }
      // Background work is repeated if it is lost, so it does not wait for the disk.
      if (client.isBackground) log.syncSoon()
      else if (log.asked() > before) due = log.asked()
      const isEnd = bytes.at(-1) === IDLE
      send(client, bytes, client.isBackground || !isEnd ? undefined : log.synced(due), onBroken)
    },
    inTransaction: () => engine.inTransaction(),
    rollback: () => engine.run(simpleQuery('ROLLBACK'), () => {}),
    idleTooLong: (client) =>
      dismiss(client, '25P03', 'the transaction was idle for too long and was rolled back'),
    failed: (error) => onBroken(asError(error)),
  }
}

function accept(serving: Serving, socket: Socket) {
  serving.lastId += 1
  const reader = unitReader(serving.limits.maxUnitBytes)
  const client: Client = {
    id: serving.lastId,
    socket,
    reader,
    inFlight: 0,
    unsent: undefined,
    isBackground: false,
    leaving: false,
  }
  serving.clients.add(client)
  socket.on('error', () => socket.destroy())
  socket.on('close', () => {
    serving.clients.delete(client)
    serving.turns.leave(client)
  })
  socket.on('data', (chunk) => receive(serving, client, chunk))
  if (serving.clients.size > serving.limits.maxClients)
    dismiss(client, '53300', 'too many clients are connected')
}

function receive(serving: Serving, client: Client, chunk: Buffer) {
  if (client.leaving) return
  try {
    for (let input = chunk; ; input = Buffer.alloc(0)) {
      const pieces = client.reader.push(input)
      for (const piece of pieces) handle(serving, client, piece)
      if (!pieces.some((piece) => piece.kind === 'startup')) break // otherwise read on in the new mode
    }
  } catch (error) {
    const violation = error instanceof ProtocolViolation ? error : undefined
    dismiss(client, violation?.code ?? '08P01', violation?.message ?? 'the message could not be read')
  }
  // Each client has at most the units of one chunk waiting, because its socket is paused when it sends faster.
  if (client.inFlight > 0) client.socket.pause()
}

function handle(serving: Serving, client: Client, piece: Piece) {
  if (client.leaving) return
  if (piece.kind === 'startup') return greet(client, piece.bytes, serving.options.parameters)
  if (piece.kind === 'terminate') {
    client.leaving = true
    if (client.inFlight === 0) client.socket.end()
    return
  }
  client.inFlight += 1
  serving.turns.enqueue(client, piece.bytes)
}

/** PGlite throws plain objects too, such as `{name: 'ExitStatus', message, status}`. */
function asError(thrown: unknown): Error {
  if (thrown instanceof Error) return thrown
  const { message } = Object(thrown) as { message?: unknown }
  return new Error(typeof message === 'string' ? message : String(thrown))
}

async function listen(socketPath: string, accept: (socket: Socket) => void): Promise<Server> {
  await rm(socketPath, { force: true })
  const server = createServer(accept)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(socketPath, () => resolve())
  })
  return server
}

const IDLE = 0x49 // the status `I` of ReadyForQuery: no transaction is open

/** Sends an answer when the log is synced. The session continues in the meantime. */
function send(
  client: Client,
  bytes: Buffer,
  synced: Promise<void> | undefined,
  onBroken: (error: Error) => void,
) {
  if (!synced && !client.unsent) return sendNow(client, bytes)
  const sending = Promise.all([client.unsent, synced]).then(
    () => {
      if (client.unsent === sending) client.unsent = undefined
      sendNow(client, bytes)
    },
    (error) => onBroken(asError(error)),
  )
  client.unsent = sending
}

function sendNow(client: Client, bytes: Buffer) {
  const flushed = client.socket.destroyed || client.socket.write(bytes)
  client.inFlight -= 1
  if (client.inFlight > 0) return
  if (client.leaving) client.socket.end()
  else if (flushed) client.socket.resume()
  else client.socket.once('drain', () => client.socket.resume())
}

// COPY … FROM STDIN would read the client's next messages, which are not in the unit, and the engine would stop. A CopyFail
// after it makes that an error of the statement. After any other statement PostgreSQL ignores the message.
function withoutCopyIn(unit: Buffer): Buffer {
  if (unit[0] !== 0x51 || !/\bstdin\b/i.test(unit.toString('latin1', 5, 4096))) return unit
  return Buffer.concat([
    unit,
    message('f', Buffer.from('COPY FROM STDIN is not served by the embedded engine\0')),
  ])
}

function greet(client: Client, bytes: Buffer, parameters: Record<string, string>) {
  const code = bytes.length >= 8 ? bytes.readUInt32BE(4) : 0
  if (code === requestCode.ssl || code === requestCode.gssEncryption) {
    client.socket.write('N')
  } else if (code === requestCode.cancel) {
    client.socket.destroy() // not supported: the engine has one thread, so a statement cannot be interrupted
  } else if (code >>> 16 === requestCode.majorVersion) {
    client.reader.startupDone()
    client.isBackground = startupParameter(bytes, 'application_name') === BACKGROUND_NAME
    if ((code & 0xffff) !== 0) client.socket.write(negotiateVersion())
    client.socket.write(welcome(client.id, parameters))
  } else {
    dismiss(client, '08P01', 'unsupported protocol version')
  }
}

/** Sends an error and disconnects; a client that does not read it is disconnected after a second. */
function dismiss(client: Client, code: string, text: string) {
  if (client.socket.destroyed) return
  client.leaving = true
  client.socket.end(fatal(code, text))
  client.socket.destroySoon()
  setTimeout(() => client.socket.destroy(), 1000).unref()
}
