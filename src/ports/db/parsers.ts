// Converts values of PostgreSQL to values of JavaScript.

import pg from 'pg'

// int8 and numeric become numbers, which are exact up to 2^53; no column has a larger value. This changes only our own pools, not
// the global parsers of `pg`.
const INT8_ARRAY_OID = 1016
const parsers = new Map<number, (value: string) => unknown>([
  [pg.types.builtins.INT8, Number],
  [pg.types.builtins.NUMERIC, Number],
  [INT8_ARRAY_OID, parseInt8Array],
])

function parseInt8Array(value: string): (number | null)[] {
  const texts: (string | null)[] = pg.types.getTypeParser(INT8_ARRAY_OID as number)(value)
  return texts.map((text) => (text === null ? null : Number(text)))
}

export function getTypeParser(oid: number, format?: 'text' | 'binary') {
  const ownParser = format === 'binary' ? undefined : parsers.get(oid)
  return ownParser ?? pg.types.getTypeParser(oid, format)
}
