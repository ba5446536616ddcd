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

const maxStartupBytes = 10_000 // PostgreSQL's own limit
const buildingBlocks = new Set(['P', 'B', 'D', 'E', 'C'])
const copyLeftovers = new Set(['d', 'c', 'f'])

/** How far the stream has been read. */
interface Reading {
  maxUnitBytes: number
  typed: boolean // the startup message has been read: every message begins with a type byte
  head: Buffer // of the message being read: type and length
  headFilled: number
  missing: number // bytes of its body that have not arrived
  parts: Buffer[] // of the unit being read
  size: number // of that unit, the missing bytes included
  messageStart: number // index in parts, to remove a message that is dropped
  held: Buffer // bytes after a startup message, which can be read only after its answer
}

export interface UnitReader {
  /** Reads the next chunk from the socket; each byte is copied once, when its unit is complete. */
  push(chunk: Buffer): Piece[]
  /** The startup message was accepted, and from now on messages have a type byte. */
  startupDone(): void
}

/** Reads one client's stream. @param maxUnitBytes the limit of an unfinished unit in memory */
export function unitReader(maxUnitBytes: number): UnitReader {
  const reading: Reading = {
    maxUnitBytes,
    typed: false,
    head: Buffer.alloc(5),
    headFilled: 0,
    missing: 0,
    parts: [],
    size: 0,
    messageStart: 0,
    held: Buffer.alloc(0),
  }
  return {
    push: (chunk) => read(reading, chunk),
    startupDone() {
      reading.typed = true
    },
  }
}

const headBytes = (reading: Reading): number => (reading.typed ? 5 : 4)

function read(reading: Reading, chunk: Buffer): Piece[] {
  const pieces: Piece[] = []
  const input = reading.held.length > 0 ? Buffer.concat([reading.held, chunk]) : chunk
  reading.held = Buffer.alloc(0)
  let at = 0
  while (at < input.length) {
    at = take(reading, input, at)
    if (reading.headFilled < headBytes(reading) || reading.missing > 0) continue
    const piece = endMessage(reading)
    if (piece) pieces.push(piece)
    if (piece?.kind === 'startup') {
      reading.held = input.subarray(at)
      break
    }
  }
  return pieces
}

/** Reads the part of the current head or body that is in `chunk`, and returns where it stopped. */
function take(reading: Reading, chunk: Buffer, from: number): number {
  const inHead = reading.headFilled < headBytes(reading)
  const missingBytes = inHead ? headBytes(reading) - reading.headFilled : reading.missing
  const count = Math.min(missingBytes, chunk.length - from)
  if (inHead) {
    chunk.copy(reading.head, reading.headFilled, from, from + count)
    reading.headFilled += count
    if (reading.headFilled === headBytes(reading)) beginMessage(reading)
  } else {
    reading.parts.push(chunk.subarray(from, from + count))
    reading.missing -= count
  }
  return from + count
}

function beginMessage(reading: Reading) {
  const length = reading.head.readUInt32BE(reading.typed ? 1 : 0)
  if (length < 4) throw new ProtocolViolation('08P01', 'invalid message length')
  reading.missing = length - 4
  reading.messageStart = reading.parts.length
  reading.parts.push(reading.head.subarray(0, headBytes(reading)))
  reading.size += headBytes(reading) + reading.missing
  const limit = reading.typed ? reading.maxUnitBytes : maxStartupBytes
  if (reading.size > limit) {
    throw new ProtocolViolation('54000', `a statement with its parameters may have ${limit} bytes at most`)
  }
}

function endMessage(reading: Reading): Piece | undefined {
  const type = reading.typed ? String.fromCharCode(reading.head[0] ?? 0) : 'startup'
  reading.head = Buffer.alloc(5)
  reading.headFilled = 0
  if (copyLeftovers.has(type)) {
    reading.parts.length = reading.messageStart
    return undefined
  }
  if (buildingBlocks.has(type)) return undefined
  const bytes = Buffer.concat(reading.parts)
  reading.parts = []
  reading.size = 0
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
