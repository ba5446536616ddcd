// Statements marked as to keep (../../kept.sql.ts) are parsed and planned once, for all clients: they are one session to
// the engine, in which a name of one client's would be everybody's. Of the some thousand short statements of reading 15
// files and watching it, four fifths of the time went into that (docs/decisions/0010-ingest-speed.md).

import { KEPT_MARK } from '../../kept.sql.ts'
import { endsReady, message, simpleQuery } from './wire.ts'

/** What is served: the engine's raw protocol, one unit at a time. */
export interface RawEngine {
  /** Runs one unit; `onBytes` gets views that are valid only during the call. */
  run(unit: Uint8Array, onBytes: (bytes: Uint8Array) => void): Promise<void>
  inTransaction(): boolean
}

// 10 to 100 kB each in the engine. Ours are some dozens.
const MOST_KEPT = 200
// A plan is as good as the tables were large when it was made, until statistics are fresh, for which a busy engine may take
// minutes: made on empty tables, that of frequencies took 2 s at 6,000 chunks instead of .01. So all are made anew when
// twice as much has been taken in as the last time.
const ANEW_AT_FIRST = 256 * 1024

const SYNC = message('S')
// What `pg` sends behind Parse and Bind: the portal described, all of its rows, the end. Anything else is left as it is.
const DESCRIBE_TO_SYNC = Buffer.concat([
  message('D', Buffer.from('P\0')),
  message('E', Buffer.from('\0\0\0\0\0')),
  SYNC,
])
const PARSE_COMPLETE = message('1')
const UNNAMED_MARKED = Buffer.from(`\0${KEPT_MARK}`)
// After these a kept plan may be gone, or give other columns than the statement does now.
const UNSETTLING = /\b(deallocate|discard|alter|create|drop)\b/i

interface Keeping {
  engine: RawEngine
  most: number
  /** What the engine has by which name; the key is the body of its Parse. */
  names: Map<string, string>
  /** Named in the engine since it was last emptied, whether they are still wanted or not. */
  made: number
  serial: number
  /** Bytes of all units, and at how many of them all is planned anew. */
  taken: number
  anewAt: number
  /** The transaction has changed what plans are made of, and may take that back. */
  unsettled: boolean
}

interface Marked {
  key: string
  parse: Buffer
  bind: Buffer
}

/** Runs units as the engine does, and returns its whole answer. @param most statements it keeps */
export function keepStatements(engine: RawEngine, most = MOST_KEPT): (unit: Buffer) => Promise<Buffer> {
  const keeping: Keeping = {
    engine,
    most,
    names: new Map(),
    made: 0,
    serial: 0,
    taken: 0,
    anewAt: ANEW_AT_FIRST,
    unsettled: false,
  }
  return async (unit) => {
    keeping.taken += unit.length
    if (!engine.inTransaction()) keeping.unsettled = false
    const marked = markedIn(unit)
    if (!marked) {
      if (UNSETTLING.test(textOf(unit))) {
        keeping.names.clear()
        keeping.unsettled = true
      }
      return answerOf(engine, unit)
    }
    if (keeping.unsettled) return answerOf(engine, unit)
    if (keeping.taken >= keeping.anewAt && !engine.inTransaction()) {
      await forget(keeping)
      keeping.anewAt = 2 * keeping.taken
    }
    const name = keeping.names.get(marked.key)
    return name === undefined ? keep(keeping, unit, marked) : repeat(keeping, unit, marked, name)
  }
}

async function keep(keeping: Keeping, unit: Buffer, { key, parse, bind }: Marked): Promise<Buffer> {
  const { engine } = keeping
  if (keeping.made >= keeping.most) {
    if (engine.inTransaction()) return answerOf(engine, unit)
    await forget(keeping)
  }
  keeping.serial += 1
  const name = `kept_${keeping.serial}`
  const named = message('P', Buffer.concat([Buffer.from(name), parse.subarray(5)]))
  const answer = await answerOf(engine, Buffer.concat([named, bound(bind, name), DESCRIBE_TO_SYNC]))
  keeping.made += 1
  if (answer[0] === PARSE_COMPLETE[0]) keeping.names.set(key, name)
  return answer
}

async function forget(keeping: Keeping): Promise<void> {
  await answerOf(keeping.engine, simpleQuery('DEALLOCATE ALL'))
  keeping.names.clear()
  keeping.made = 0
}

async function repeat(
  { engine, names }: Keeping,
  unit: Buffer,
  { key, bind }: Marked,
  name: string,
): Promise<Buffer> {
  const answer = await answerOf(engine, Buffer.concat([bound(bind, name), DESCRIBE_TO_SYNC]))
  if (!isForgotten(answer)) return Buffer.concat([PARSE_COMPLETE, answer])
  names.delete(key)
  // Outside a transaction nothing was done; inside one it is broken now, and the client is told.
  return endsReady(answer) && answer.at(-1) === IDLE ? answerOf(engine, unit) : answer
}

const IDLE = 0x49 // the status `I` of ReadyForQuery

/** Bind could not begin: the name is not there (26000), or its plan gives other columns than it did (0A000). */
function isForgotten(answer: Buffer): boolean {
  if (answer[0] !== 0x45) return false
  const error = answer.subarray(0, answer.readUInt32BE(1) + 1)
  return error.includes('\0C26000\0') || (error.includes('\0C0A000\0') && error.includes('cached plan'))
}

/** The Bind of the unnamed statement, to that of the name. */
const bound = (bind: Buffer, name: string): Buffer =>
  message('B', Buffer.concat([Buffer.from(`\0${name}\0`), bind.subarray(7)]))

/** The unit's parts, where it is one marked statement as `pg` sends it. */
function markedIn(unit: Buffer): Marked | undefined {
  if (unit[0] !== 0x50 || !unit.subarray(5, 5 + UNNAMED_MARKED.length).equals(UNNAMED_MARKED))
    return undefined
  const bindAt = unit.readUInt32BE(1) + 1
  if (unit[bindAt] !== 0x42) return undefined
  const endAt = bindAt + unit.readUInt32BE(bindAt + 1) + 1
  const bind = unit.subarray(bindAt, endAt)
  const isPlain = bind[5] === 0 && bind[6] === 0 && unit.subarray(endAt).equals(DESCRIBE_TO_SYNC)
  if (!isPlain) return undefined
  const parse = unit.subarray(0, bindAt)
  return { key: parse.toString('latin1', 5), parse, bind }
}

const MOST_TEXT = 4096

/** The beginning of a statement's text, of a simple query or of a Parse. */
function textOf(unit: Buffer): string {
  const end = Math.min(unit.length >= 5 ? unit.readUInt32BE(1) + 1 : 0, MOST_TEXT)
  return unit[0] === 0x51 || unit[0] === 0x50 ? unit.toString('latin1', 5, end) : ''
}

async function answerOf(engine: RawEngine, unit: Buffer): Promise<Buffer> {
  const parts: Buffer[] = []
  await engine.run(unit, (bytes) => parts.push(Buffer.from(bytes)))
  return Buffer.concat(parts)
}
