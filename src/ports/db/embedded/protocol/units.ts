// Splits a client's byte stream into units. A unit is all messages up to a Sync, or one simple Query. It runs without interruption,
// because all clients share one session: otherwise the Bind of one client could follow the Parse of another.

/** A part of the stream. The bytes of `startup` include the length field. */
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
  messageHead: Buffer // type and length of the message being read
  headReceivedBytes: number // bytes of the head that have arrived
  missingBytes: number // bytes of the message's body that have not arrived
  parts: Buffer[] // the bytes of the unit being read
  unitBytes: number // bytes of that unit, including those that have not arrived
  messageStart: number // where the message being read begins in `parts`; COPY messages are removed from there
  unread: Buffer // bytes after a startup message, which can be read only after its answer
}

export interface UnitReader {
  /** Reads the next chunk from the socket; each byte is copied once, when its unit is complete. */
  push(chunk: Buffer): Piece[]
  /** Call this when the startup message was accepted: from then on, messages have a type byte. */
  startupDone(): void
}

/** Reads one client's stream. @param maxUnitBytes a larger unit is a ProtocolViolation */
export function unitReader(maxUnitBytes: number): UnitReader {
  const state: StreamState = {
    maxUnitBytes,
    hasTypeByte: false,
    messageHead: Buffer.alloc(5),
    headReceivedBytes: 0,
    missingBytes: 0,
    parts: [],
    unitBytes: 0,
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

const headLength = (state: StreamState): number => (state.hasTypeByte ? 5 : 4)

function readPieces(state: StreamState, chunk: Buffer): Piece[] {
  const pieces: Piece[] = []
  const input = state.unread.length > 0 ? Buffer.concat([state.unread, chunk]) : chunk
  state.unread = Buffer.alloc(0)
  let offset = 0
  while (offset < input.length) {
    offset = takeBytes(state, input, offset)
    if (state.headReceivedBytes < headLength(state) || state.missingBytes > 0) continue
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
  const isInHead = state.headReceivedBytes < headLength(state)
  const missingBytes = isInHead ? headLength(state) - state.headReceivedBytes : state.missingBytes
  const count = Math.min(missingBytes, chunk.length - from)
  if (isInHead) {
    chunk.copy(state.messageHead, state.headReceivedBytes, from, from + count)
    state.headReceivedBytes += count
    if (state.headReceivedBytes === headLength(state)) beginMessage(state)
  } else {
    state.parts.push(chunk.subarray(from, from + count))
    state.missingBytes -= count
  }
  return from + count
}

function beginMessage(state: StreamState) {
  const length = state.messageHead.readUInt32BE(state.hasTypeByte ? 1 : 0)
  if (length < 4) throw new ProtocolViolation('08P01', 'invalid message length')
  state.missingBytes = length - 4
  state.messageStart = state.parts.length
  state.parts.push(state.messageHead.subarray(0, headLength(state)))
  state.unitBytes += headLength(state) + state.missingBytes
  const limit = state.hasTypeByte ? state.maxUnitBytes : MAX_STARTUP_BYTES
  if (state.unitBytes > limit) {
    throw new ProtocolViolation('54000', `a statement with its parameters may have ${limit} bytes at most`)
  }
}

function endMessage(state: StreamState): Piece | undefined {
  const type = state.hasTypeByte ? String.fromCharCode(state.messageHead[0] ?? 0) : 'startup'
  state.messageHead = Buffer.alloc(5)
  state.headReceivedBytes = 0
  if (COPY_MESSAGES.has(type)) {
    state.parts.length = state.messageStart
    return undefined
  }
  if (UNIT_PARTS.has(type)) return undefined
  const bytes = Buffer.concat(state.parts)
  state.parts = []
  state.unitBytes = 0
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
