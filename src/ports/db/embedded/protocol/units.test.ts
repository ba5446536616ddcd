import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { startup } from '../../../../../test/support/startup.ts'
import { type Piece, ProtocolViolation, unitReader } from './units.ts'
import { message, simpleQuery, startupParameter } from './wire.ts'

const block = fc.tuple(fc.constantFrom('P', 'B', 'D', 'E', 'C'), fc.uint8Array({ maxLength: 300 }))
const unit = fc.oneof(
  fc.tuple(fc.array(block, { maxLength: 8 }), fc.constant(message('S'))),
  fc.tuple(fc.constant([]), fc.string({ maxLength: 300 }).map(simpleQuery)),
)

/** Splits a stream at the given places, as a socket does. */
function cut(bytes: Buffer, places: number[]): Buffer[] {
  const at = [0, ...places.map((place) => place % (bytes.length + 1)), bytes.length].sort((a, b) => a - b)
  return at.slice(1).map((end, index) => bytes.subarray(at[index], end))
}

function readAll(chunks: Buffer[], limit = 1_000_000): Piece[] {
  const reader = unitReader(limit)
  const pieces: Piece[] = []
  for (const chunk of chunks) {
    for (let input = chunk; ; input = Buffer.alloc(0)) {
      const found = reader.push(input)
      pieces.push(...found)
      if (!found.some((piece) => piece.kind === 'startup')) break
      reader.startupDone()
    }
  }
  return pieces
}

describe('reading units from a stream', () => {
  test('the units are the same wherever the stream is split', () => {
    fc.assert(
      fc.property(
        fc.array(unit, { maxLength: 12 }),
        fc.array(fc.nat(), { maxLength: 40 }),
        (units, places) => {
          const expected = units.map(([blocks, end]) =>
            Buffer.concat([...blocks.map(([type, body]) => message(type, Buffer.from(body))), end]),
          )
          const hello = startup('user', 'postgres')
          const stream = Buffer.concat([hello, ...expected, message('X')])
          const pieces = readAll(cut(stream, places))
          expect(pieces).toEqual([
            { kind: 'startup', bytes: hello },
            ...expected.map((bytes) => ({ kind: 'unit', bytes })),
            { kind: 'terminate' },
          ])
        },
      ),
    )
  })

  test('a 20 MB parameter in chunks of 64 KB arrives complete', () => {
    const bind = message('B', Buffer.alloc(20_000_000, 'x'))
    const stream = Buffer.concat([startup('user', 'x'), bind, message('S')])
    const chunks = Array.from({ length: Math.ceil(stream.length / 65_536) }, (_, index) =>
      stream.subarray(index * 65_536, (index + 1) * 65_536),
    )
    const unit = readAll(chunks, 64_000_000).at(-1)
    expect(unit?.kind === 'unit' && unit.bytes.equals(Buffer.concat([bind, message('S')]))).toBe(true)
  })

  test('what is kept of a client is bounded, for one message and for many without a Sync', () => {
    const hello = startup('user', 'x')
    const parse = message('P', Buffer.alloc(400))
    expect(() => readAll([hello, parse.subarray(0, 5)], 404)).toThrow(ProtocolViolation)
    expect(() => readAll([hello, parse, parse, parse], 1000)).toThrow(/1000 bytes at most/)
    expect(() => readAll([Buffer.from([0x7f, 0xff, 0xff, 0xff])])).toThrow(ProtocolViolation)
  })

  test('leftovers of a COPY are dropped, a Flush and unknown types are refused', () => {
    const hello = startup('user', 'x')
    const stream = Buffer.concat([message('d', Buffer.from('rest')), message('c'), simpleQuery('select 1')])
    expect(readAll([hello, stream]).at(-1)).toEqual({ kind: 'unit', bytes: simpleQuery('select 1') })
    expect(() => readAll([hello, message('H')])).toThrow(/Flush/)
    expect(() => readAll([hello, message('!')])).toThrow(/unexpected message type/)
  })

  test('a startup message says who connects, by any name and value', () => {
    const hello = startup('user', 'application_name', 'database', 'x', 'application_name', 'kenning worker')
    expect(startupParameter(hello, 'application_name')).toBe('kenning worker')
    expect(startupParameter(hello, 'user')).toBe('application_name')
    expect(startupParameter(startup('user', 'x'), 'application_name')).toBeUndefined()
  })
})
