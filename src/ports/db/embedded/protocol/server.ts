// Serves the embedded engine on a Unix socket in the PostgreSQL protocol, so that every process can use plain `pg`. This file
// handles the sockets; turns.ts decides which unit runs next.

import { rm } from 'node:fs/promises'
import { createServer, type Server, type Socket } from 'node:net'
import { BACKGROUND_NAME } from '../../db.ts'
import type { LogSync } from '../durable-files.ts'
import { prepareStatements, type RawEngine } from './prepared.ts'
import { createTurns, type Session, type Turns } from './turns.ts'
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

interface ServerLimits {
  /** The maximum size of one statement with its parameters, which PGlite copies into its own memory. */
  maxUnitBytes: number
  maxClients: number
  /** After this time without a message from its client, a transaction is rolled back and the client is disconnected. */
  idleTransactionMs: number
}

const defaultLimits: ServerLimits = {
  maxUnitBytes: 64 * 1024 * 1024,
  maxClients: 200,
  idleTransactionMs: 10_000,
}

export interface ProtocolServer {
  /** Runs `work` alone, while no transaction is open. */
  runAlone<T>(work: () => Promise<T>): Promise<T>
  /** Resolves when the session has shown that it works (`Turns.probe`). */
  probe(work: () => Promise<void>): Promise<void>
  clientCount(): number
  waitingUnits(): number
  /** Disconnects all clients, rolls back an open transaction, removes the socket. */
  close(): Promise<void>
}

interface Client {
  id: number
  socket: Socket
  reader: UnitReader
  inFlight: number // units of this client that are not answered yet
  lastSend: Promise<void> | undefined // the last answer that waits for a sync of the log, after which later answers are sent
  isBackground: boolean
  isClosing: boolean // after Terminate or an error: the socket closes when the client's last unit is answered
}

interface Options {
  engine: RawEngine
  log: LogSync
  socketPath: string
  /** Server parameters that are sent to each client (server_version and so on). */
  parameters: Record<string, string>
  limits?: Partial<ServerLimits>
  /** Called when the engine gave an incomplete answer. The process must end and be started again. */
  onBroken(error: Error): void
}

/** What the parts of a running server share. */
interface ServerState {
  options: Options
  limits: ServerLimits
  turns: Turns<Client>
  clients: Set<Client>
  lastId: number
}

/** Removes an old socket file and starts to serve. Resolves when clients can connect. */
export async function serveEngine(options: Options): Promise<ProtocolServer> {
  const limits = { ...defaultLimits, ...options.limits }
  const turns = createTurns(engineCallbacks(options), limits.idleTransactionMs)
  const state: ServerState = { options, limits, turns, clients: new Set(), lastId: 0 }
  const server = await listen(options.socketPath, (socket) => accept(state, socket))
  return {
    runAlone: turns.runAlone,
    probe: turns.probe,
    clientCount: () => state.clients.size,
    waitingUnits: turns.waitingUnits,
    async close() {
      server.close()
      for (const client of state.clients) {
        disconnectWithError(client, '57P01', 'the embedded engine is shutting down')
        // Immediately, because its waiting units must not run on an engine that is being closed.
        turns.leave(client)
      }
      await turns.runAlone(async () => {})
      await rm(options.socketPath, { force: true })
    },
  }
}

function engineCallbacks({ engine, log, onBroken }: Options): Session<Client> {
  const runUnit = prepareStatements(engine)
  // The number of the last sync request that a foreground client caused. All answers wait for it, so that no client gets an answer
  // that depends on data which may still be lost.
  let lastNeededSync = 0
  return {
    isBackground: (client) => client.isBackground,
    async run(client, unit) {
      const lastRequestBefore = log.lastRequest()
      const bytes = await runUnit(failCopyFromStdin(unit))
      // PGlite can send an incomplete answer and then block the event loop, for example when the disk is full.
      if (!endsReady(bytes)) {
        client.socket.write(bytes)
        throw new Error('the embedded engine gave an incomplete answer')
      }
      // Background work is repeated if it is lost, so it does not wait for the disk.
      if (client.isBackground) log.syncSoon()
      else if (log.lastRequest() > lastRequestBefore) lastNeededSync = log.lastRequest()
      const isTransactionClosed = bytes.at(-1) === IDLE
      send(
        client,
        bytes,
        client.isBackground || !isTransactionClosed ? undefined : log.whenSynced(lastNeededSync),
        onBroken,
      )
    },
    inTransaction: () => engine.inTransaction(),
    rollback: () => engine.run(simpleQuery('ROLLBACK'), () => {}),
    idleTooLong: (client) =>
      disconnectWithError(client, '25P03', 'the transaction was idle for too long and was rolled back'),
    onBroken: (error) => onBroken(asError(error)),
  }
}

function accept(state: ServerState, socket: Socket) {
  state.lastId += 1
  const reader = unitReader(state.limits.maxUnitBytes)
  const client: Client = {
    id: state.lastId,
    socket,
    reader,
    inFlight: 0,
    lastSend: undefined,
    isBackground: false,
    isClosing: false,
  }
  state.clients.add(client)
  socket.on('error', () => socket.destroy())
  socket.on('close', () => {
    state.clients.delete(client)
    state.turns.leave(client)
  })
  socket.on('data', (chunk) => receive(state, client, chunk))
  if (state.clients.size > state.limits.maxClients)
    disconnectWithError(client, '53300', 'too many clients are connected')
}

function receive(state: ServerState, client: Client, chunk: Buffer) {
  if (client.isClosing) return
  try {
    for (let input = chunk; ; input = Buffer.alloc(0)) {
      const pieces = client.reader.push(input)
      for (const piece of pieces) handlePiece(state, client, piece)
      if (!pieces.some((piece) => piece.kind === 'startup')) break // after startup the rest of the buffer is read as messages
    }
  } catch (error) {
    const violation = error instanceof ProtocolViolation ? error : undefined
    disconnectWithError(
      client,
      violation?.code ?? '08P01',
      violation?.message ?? 'the message could not be read',
    )
  }
  // Reading continues when all units are answered. So the queue of a client has at most the units of one chunk of its stream.
  if (client.inFlight > 0) client.socket.pause()
}

function handlePiece(state: ServerState, client: Client, piece: Piece) {
  if (client.isClosing) return
  if (piece.kind === 'startup') return answerStartup(client, piece.bytes, state.options.parameters)
  if (piece.kind === 'terminate') {
    client.isClosing = true
    if (client.inFlight === 0) client.socket.end()
    return
  }
  client.inFlight += 1
  state.turns.enqueue(client, piece.bytes)
}

/** PGlite throws plain objects too, such as `{name: 'ExitStatus', message, status}`. */
function asError(error: unknown): Error {
  if (error instanceof Error) return error
  const { message } = Object(error) as { message?: unknown }
  return new Error(typeof message === 'string' ? message : String(error))
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

/** Sends an answer when the log is synced. The session runs other units in the meantime. */
function send(
  client: Client,
  bytes: Buffer,
  whenSynced: Promise<void> | undefined,
  onBroken: (error: Error) => void,
) {
  if (!whenSynced && !client.lastSend) return sendNow(client, bytes)
  const lastSend = Promise.all([client.lastSend, whenSynced]).then(
    () => {
      if (client.lastSend === lastSend) client.lastSend = undefined
      sendNow(client, bytes)
    },
    (error) => onBroken(asError(error)),
  )
  client.lastSend = lastSend
}

function sendNow(client: Client, bytes: Buffer) {
  const isFlushed = client.socket.destroyed || client.socket.write(bytes)
  client.inFlight -= 1
  if (client.inFlight > 0) return
  if (client.isClosing) client.socket.end()
  else if (isFlushed) client.socket.resume()
  else client.socket.once('drain', () => client.socket.resume())
}

// COPY … FROM STDIN would read the client's next messages, which are not in the unit, and the engine would stop. So a CopyFail
// message is appended, and the statement fails. After any other statement PostgreSQL ignores that message.
function failCopyFromStdin(unit: Buffer): Buffer {
  if (unit[0] !== 0x51 || !/\bstdin\b/i.test(unit.toString('latin1', 5, 4096))) return unit
  return Buffer.concat([
    unit,
    message('f', Buffer.from('COPY FROM STDIN is not served by the embedded engine\0')),
  ])
}

function answerStartup(client: Client, bytes: Buffer, parameters: Record<string, string>) {
  const code = bytes.length >= 8 ? bytes.readUInt32BE(4) : 0
  if (code === requestCode.ssl || code === requestCode.gssEncryption) {
    client.socket.write('N')
  } else if (code === requestCode.cancel) {
    client.socket.destroy() // not supported: the engine has one thread, so a statement cannot be interrupted
  } else if (code >>> 16 === requestCode.protocolMajor) {
    client.reader.startupDone()
    client.isBackground = startupParameter(bytes, 'application_name') === BACKGROUND_NAME
    if ((code & 0xffff) !== 0) client.socket.write(negotiateVersion())
    client.socket.write(welcome(client.id, parameters))
  } else {
    disconnectWithError(client, '08P01', 'unsupported protocol version')
  }
}

/** Sends an error and disconnects the client. A client that does not read the error is disconnected after a second. */
function disconnectWithError(client: Client, code: string, text: string) {
  if (client.socket.destroyed) return
  client.isClosing = true
  client.socket.end(fatal(code, text))
  client.socket.destroySoon()
  setTimeout(() => client.socket.destroy(), 1000).unref()
}
