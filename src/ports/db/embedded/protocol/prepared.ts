// Statements marked by `prepared` (../../prepared.sql.ts) are parsed and planned once for all clients. Their names are chosen here,
// because all clients share one session and might choose equal names. Parsing and planning took four fifths of the time of the
// short statements that reading files runs (docs/decisions/0010-ingest-speed.md).

import { PREPARED_MARK } from '../../prepared.sql.ts'
import { endsReady, message, simpleQuery } from './wire.ts'

/** The engine, which runs one unit at a time. A unit has the protocol messages of one request, up to its Sync (units.ts). */
export interface RawEngine {
  /** Runs one unit. The views passed to `onBytes` are valid only during that call. */
  run(unit: Uint8Array, onBytes: (bytes: Uint8Array) => void): Promise<void>
  inTransaction(): boolean
}

// A prepared statement takes 10 to 100 kB in the engine. Kenning has a few dozen of them.
const MAX_PREPARED = 200
// A plan is made for the current sizes of tables, and becomes bad when they grow: a plan for term frequencies that was made on
// empty tables took 2 s at 6,000 chunks instead of .01 s. So all statements are planned again each time the number of received
// bytes has doubled.
const FIRST_REPLAN_BYTES = 256 * 1024

const SYNC = message('S')
// The messages that `pg` sends after Parse and Bind: Describe, Execute for all rows, Sync. Any other unit is run unchanged.
const DESCRIBE_TO_SYNC = Buffer.concat([
  message('D', Buffer.from('P\0')),
  message('E', Buffer.from('\0\0\0\0\0')),
  SYNC,
])
const PARSE_COMPLETE = message('1')
const UNNAMED_MARKED_STATEMENT = Buffer.from(`\0${PREPARED_MARK}`)
// Statements after which a prepared statement may no longer exist, or may return other columns.
const CHANGES_PLANS = /\b(deallocate|discard|alter|create|drop)\b/i

interface PreparedCache {
  engine: RawEngine
  /** The names of the prepared statements, by the body of the statement's Parse message. */
  names: Map<string, string>
  /** How many statements the engine has prepared since the last DEALLOCATE ALL, even if they are no longer in `names`. */
  preparedCount: number
  lastNameNumber: number
  /** Bytes of all units so far. */
  receivedBytes: number
  /** The number of received bytes at which all statements are planned again. */
  replanAt: number
  /** Whether the open transaction has changed the schema and may be rolled back. */
  hasSchemaChange: boolean
}

interface MarkedStatement {
  key: string
  parse: Buffer
  bind: Buffer
}

/** Returns a function that runs one unit on the engine and returns the complete answer. */
export function prepareStatements(engine: RawEngine): (unit: Buffer) => Promise<Buffer> {
  const cache: PreparedCache = {
    engine,
    names: new Map(),
    preparedCount: 0,
    lastNameNumber: 0,
    receivedBytes: 0,
    replanAt: FIRST_REPLAN_BYTES,
    hasSchemaChange: false,
  }
  return async (unit) => {
    cache.receivedBytes += unit.length
    if (!engine.inTransaction()) cache.hasSchemaChange = false
    const statement = markedStatementOf(unit)
    if (!statement) {
      if (CHANGES_PLANS.test(textOf(unit))) {
        cache.names.clear()
        cache.hasSchemaChange = true
      }
      return answerOf(engine, unit)
    }
    if (cache.hasSchemaChange) return answerOf(engine, unit)
    if (cache.receivedBytes >= cache.replanAt && !engine.inTransaction()) {
      await deallocateAll(cache)
      cache.replanAt = 2 * cache.receivedBytes
    }
    const name = cache.names.get(statement.key)
    return name === undefined
      ? prepareAndRun(cache, unit, statement)
      : runPrepared(cache, unit, statement, name)
  }
}

async function prepareAndRun(
  cache: PreparedCache,
  unit: Buffer,
  { key, parse, bind }: MarkedStatement,
): Promise<Buffer> {
  const { engine } = cache
  if (cache.preparedCount >= MAX_PREPARED) {
    if (engine.inTransaction()) return answerOf(engine, unit)
    await deallocateAll(cache)
  }
  cache.lastNameNumber += 1
  const name = `prepared_${cache.lastNameNumber}`
  const namedParse = message('P', Buffer.concat([Buffer.from(name), parse.subarray(5)]))
  const answer = await answerOf(engine, Buffer.concat([namedParse, renameBind(bind, name), DESCRIBE_TO_SYNC]))
  cache.preparedCount += 1
  if (answer[0] === PARSE_COMPLETE[0]) cache.names.set(key, name)
  return answer
}

async function deallocateAll(cache: PreparedCache): Promise<void> {
  await answerOf(cache.engine, simpleQuery('DEALLOCATE ALL'))
  cache.names.clear()
  cache.preparedCount = 0
}

async function runPrepared(
  { engine, names }: PreparedCache,
  unit: Buffer,
  { key, bind }: MarkedStatement,
  name: string,
): Promise<Buffer> {
  const answer = await answerOf(engine, Buffer.concat([renameBind(bind, name), DESCRIBE_TO_SYNC]))
  if (!isForgotten(answer)) return Buffer.concat([PARSE_COMPLETE, answer])
  names.delete(key)
  // Outside a transaction the failed unit has changed nothing, so it can be run again. Inside one, the transaction has failed.
  return endsReady(answer) && answer.at(-1) === IDLE ? answerOf(engine, unit) : answer
}

const IDLE = 0x49 // the status `I` of ReadyForQuery
// The type bytes of messages: P, B, Q, E.
const PARSE = 0x50
const BIND = 0x42
const QUERY = 0x51
const ERROR_RESPONSE = 0x45

/** Whether Bind failed because the name does not exist (26000), or because the plan now returns other columns (0A000). */
function isForgotten(answer: Buffer): boolean {
  if (answer[0] !== ERROR_RESPONSE) return false
  const error = answer.subarray(0, answer.readUInt32BE(1) + 1)
  return error.includes('\0C26000\0') || (error.includes('\0C0A000\0') && error.includes('cached plan'))
}

/** Rewrites a Bind message of the unnamed statement to a Bind of the statement `name`. */
const renameBind = (bind: Buffer, name: string): Buffer =>
  message('B', Buffer.concat([Buffer.from(`\0${name}\0`), bind.subarray(7)]))

/** The parts of a unit that is one marked statement in the form in which `pg` sends it. Undefined for any other unit. */
function markedStatementOf(unit: Buffer): MarkedStatement | undefined {
  const beginning = unit.subarray(5, 5 + UNNAMED_MARKED_STATEMENT.length)
  if (unit[0] !== PARSE || !beginning.equals(UNNAMED_MARKED_STATEMENT)) return undefined
  const bindOffset = unit.readUInt32BE(1) + 1
  if (unit[bindOffset] !== BIND) return undefined
  const bindEnd = bindOffset + unit.readUInt32BE(bindOffset + 1) + 1
  const bind = unit.subarray(bindOffset, bindEnd)
  const isUsualForm = bind[5] === 0 && bind[6] === 0 && unit.subarray(bindEnd).equals(DESCRIBE_TO_SYNC)
  if (!isUsualForm) return undefined
  const parse = unit.subarray(0, bindOffset)
  return { key: parse.toString('latin1', 5), parse, bind }
}

const MAX_COMPARED_BYTES = 4096

/** The beginning of the text of a simple query or of a Parse. */
function textOf(unit: Buffer): string {
  const end = Math.min(unit.length >= 5 ? unit.readUInt32BE(1) + 1 : 0, MAX_COMPARED_BYTES)
  return unit[0] === QUERY || unit[0] === PARSE ? unit.toString('latin1', 5, end) : ''
}

async function answerOf(engine: RawEngine, unit: Buffer): Promise<Buffer> {
  const parts: Buffer[] = []
  await engine.run(unit, (bytes) => parts.push(Buffer.from(bytes)))
  return Buffer.concat(parts)
}
