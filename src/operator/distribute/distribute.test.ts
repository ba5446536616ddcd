// Functions that a server with Citus has in another form: when a migration changes one of them, that form has to change as well.

import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { citusFunctions } from './distribute.sql.ts'

const migrations = new URL('../../../migrations/', import.meta.url)
const FUNCTION = /^CREATE (?:OR REPLACE )?FUNCTION (\w+)\(/

/** The functions that a text defines, by name, each with what follows it up to the next CREATE. */
const functionsOf = (text: string): Map<string, string> =>
  new Map(
    text.split(/^(?=CREATE )/m).flatMap((part) => {
      const [, name] = FUNCTION.exec(part) ?? []
      return name === undefined ? [] : [[name, part]]
    }),
  )

const inMigrations = new Map<string, { file: string; whole: string }>()
for (const file of readdirSync(migrations).sort())
  for (const [name, whole] of functionsOf(readFileSync(new URL(file, migrations), 'utf8')))
    inMigrations.set(name, { file, whole })
const onCitus = functionsOf(citusFunctions.sql)

// What Citus alone needs.
const OWN = ['enter_joined', 'may_touch', 'run_kept', 'shard_of']

test('each function on Citus follows the last migration that defines it', () => {
  const followed = [...onCitus.keys()].filter((name) => !OWN.includes(name))
  const last = Object.fromEntries(followed.map((name) => [name, inMigrations.get(name)?.file]))
  expect(last, 'read the new migration, change `citusFunctions` as it does, then this table').toEqual({
    enter_request: '0002_isolation.sql',
    chunks_holding: '0008_search.sql',
    chunks_scored: '0008_search.sql',
    chunks_beside: '0025_chunks_beside.sql',
    count_document: '0026_workspace_again.sql',
    keep_replaced_version: '0007_documents.sql',
  })
})

test.each(['count_document', 'keep_replaced_version'])('%s sets the same columns on Citus', (name) => {
  // What a process keeps of a workspace in memory was never read again on Citus while `changes` was missing here.
  const columns = (body = ''): string[] =>
    [
      ...new Set(
        [...body.matchAll(/\b(\w+) = (?:held|excluded|now|documents|chunks|changes)\b/g)].map(
          ([, column = '']) => column,
        ),
      ),
    ].sort()
  const expected = columns(inMigrations.get(name)?.whole)
  expect(expected).not.toEqual([])
  expect(columns(onCitus.get(name))).toEqual(expected)
})

test('no function uses md5, which a server in FIPS mode does not have', () => {
  expect(citusFunctions.sql).not.toMatch(/\bmd5\b/)
})
