// Values of PostgreSQL as values of JavaScript.

import pg from 'pg'

// int8 and numeric become numbers, on this pool only. Exact up to 2^53; no column holds more.
const int8Array = 1016
const parsers = new Map<number, (value: string) => unknown>([
  [pg.types.builtins.INT8, Number],
  [pg.types.builtins.NUMERIC, Number],
  [int8Array, parseInt8Array],
])

function parseInt8Array(value: string): (number | null)[] {
  const texts: (string | null)[] = pg.types.getTypeParser(int8Array as number)(value)
  return texts.map((text) => (text === null ? null : Number(text)))
}

export function getTypeParser(oid: number, format?: 'text' | 'binary') {
  const ownParser = format === 'binary' ? undefined : parsers.get(oid)
  return ownParser ?? pg.types.getTypeParser(oid, format)
}
