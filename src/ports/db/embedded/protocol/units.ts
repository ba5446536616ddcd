// Splits a client's byte stream into units: all messages up to a Sync, or one simple Query. A unit runs as a whole because the
// engine has one session. When single messages were queued, the Bind of one client met the Parse of another ("bind message
// supplies 600 parameters, but prepared statement requires 2").

/** What the stream contained, in order. The bytes of `startup` include its length. */
export type Piece =
  | { kind: 'startup'; bytes: Buffer }
  | { kind: 'unit'; bytes: Buffer }
  | { kind: 'terminate' }

/** The stream cannot be served. `code` is the SQLSTATE to send before disconnecting. */
export class ProtocolViolation extends Error {
  readonly code: string
  constructor(code: string, text: string) {
    super(text)
    this.code = code
  }
}

const MAX_STARTUP_BYTES = 10_000 // PostgreSQL's own limit
const UNIT_PARTS = new Set(['P', 'B', 'D', 'E', 'C'])
const COPY_MESSAGES = new Set(['d', 'c', 'f'])

/** How far the stream has been read. */
interface StreamState {
  maxUnitBytes: number
  hasTypeByte: boolean // the startup message has been read: every message begins with a type byte
  head: Buffer // of the message being read: type and length
  headFilled: number
  missingBytes: number // bytes of its body that have not arrived
  parts: Buffer[] // of the unit being read
  size: number // of that unit, the missing bytes included
  messageStart: number // index in parts, to remove a message that is dropped
  unread: Buffer // bytes after a startup message, which can be read only after its answer
}

export interface UnitReader {
  /** Reads the next chunk from the socket; each byte is copied once, when its unit is complete. */
  push(chunk: Buffer): Piece[]
  /** The startup message was accepted, and from now on messages have a type byte. */
  startupDone(): void
}

/** Reads one client's stream. @param maxUnitBytes the limit of an unfinished unit in memory */
export function unitReader(maxUnitBytes: number): UnitReader {
  const state: StreamState = {
    maxUnitBytes,
    hasTypeByte: false,
    head: Buffer.alloc(5),
    headFilled: 0,
    missingBytes: 0,
    parts: [],
    size: 0,
    messageStart: 0,
    unread: Buffer.alloc(0),
  }
  return {
    push: (chunk) => readPieces(state, chunk),
    startupDone() {
      state.hasTypeByte = true
    },
  }
}

const headBytes = (state: StreamState): number => (state.hasTypeByte ? 5 : 4)

function readPieces(state: StreamState, chunk: Buffer): Piece[] {
  const pieces: Piece[] = []
  const input = state.unread.length > 0 ? Buffer.concat([state.unread, chunk]) : chunk
  state.unread = Buffer.alloc(0)
  let offset = 0
  while (offset < input.length) {
    offset = takeBytes(state, input, offset)
    if (state.headFilled < headBytes(state) || state.missingBytes > 0) continue
    const piece = endMessage(state)
    if (piece) pieces.push(piece)
    if (piece?.kind === 'startup') {
      state.unread = input.subarray(offset)
      break
    }
  }
  return pieces
}

/** Reads the part of the current head or body that is in `chunk`, and returns where it stopped. */
function takeBytes(state: StreamState, chunk: Buffer, from: number): number {
  const inHead = state.headFilled < headBytes(state)
  const missingBytes = inHead ? headBytes(state) - state.headFilled : state.missingBytes
  const count = Math.min(missingBytes, chunk.length - from)
  if (inHead) {
    chunk.copy(state.head, state.headFilled, from, from + count)
    state.headFilled += count
    if (state.headFilled === headBytes(state)) beginMessage(state)
  } else {
    state.parts.push(chunk.subarray(from, from + count))
    state.missingBytes -= count
  }
  return from + count
}

function beginMessage(state: StreamState) {
  const length = state.head.readUInt32BE(state.hasTypeByte ? 1 : 0)
  if (length < 4) throw new ProtocolViolation('08P01', 'invalid message length')
  state.missingBytes = length - 4
  state.messageStart = state.parts.length
  state.parts.push(state.head.subarray(0, headBytes(state)))
  state.size += headBytes(state) + state.missingBytes
  const limit = state.hasTypeByte ? state.maxUnitBytes : MAX_STARTUP_BYTES
  if (state.size > limit) {
    throw new ProtocolViolation('54000', `a statement with its parameters may have ${limit} bytes at most`)
  }
}

function endMessage(state: StreamState): Piece | undefined {
  const type = state.hasTypeByte ? String.fromCharCode(state.head[0] ?? 0) : 'startup'
  state.head = Buffer.alloc(5)
  state.headFilled = 0
  if (COPY_MESSAGES.has(type)) {
    state.parts.length = state.messageStart
    return undefined
  }
  if (UNIT_PARTS.has(type)) return undefined
  const bytes = Buffer.concat(state.parts)
  state.parts = []
  state.size = 0
  return pieceOf(type, bytes)
}

function pieceOf(type: string, bytes: Buffer): Piece {
  switch (type) {
    case 'startup':
      return { kind: 'startup', bytes }
    case 'Q':
    case 'S':
    case 'F':
      return { kind: 'unit', bytes }
    case 'X':
      return { kind: 'terminate' }
    case 'H':
      throw new ProtocolViolation('0A000', 'Flush without Sync is not served by the embedded engine')
    default:
      throw new ProtocolViolation('08P01', `unexpected message type ${JSON.stringify(type)}`)
  }
}
