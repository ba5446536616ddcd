import sql, { type Sql } from 'sql-template-tag'
import { expect, test } from 'vitest'
import { acrossWorkspaces } from './across.sql.ts'
import { isRefusedByNode, openNodeStatements } from './node-statements.ts'
import { inWorkspace, prepared } from './prepared.sql.ts'

const ID = '00000000-0000-4000-8000-000000000001'
const OTHER = '00000000-0000-4000-8000-000000000002'
const NUMBER = 23
const TEXT = 25
const columns = [
  { name: 'id', dataTypeID: TEXT },
  { name: 'count', dataTypeID: NUMBER },
]

/** The call to the nodes after the statement was sent unchanged. */
function callOf(statement: Sql) {
  const kept = openNodeStatements((type) => (type === NUMBER ? Number : (text) => text))
  expect(kept.callOf(statement)).toBeUndefined()
  kept.learn(statement.text, columns)
  return kept.callOf<Record<string, unknown>>(statement)
}

test('a prepared statement of one workspace is asked of its node with its values as texts, and its rows are as pg gives them', () => {
  const when = new Date(0)
  const values = [
    null,
    'a "b" \\',
    ['x,y', null, '"'],
    [1, 2.5],
    true,
    Buffer.from([0, 255]),
    new Uint8Array([1, 254]).subarray(1),
    { a: 1 },
    when,
  ]
  const call = callOf(
    prepared(sql`SELECT id, count FROM version WHERE ${inWorkspace(sql`workspace_id`, ID)} AND ${values[0]}`),
  )
  expect(call?.statement.values[0]).toBe(ID)
  expect(call?.statement.values[1]).toMatch(
    /^SELECT ARRAY\[c0::text, c1::text\] FROM \(\/\* prepared \*\/.*\$2\) rows \(c0, c1\)$/s,
  )
  expect(call?.rows([{ cells: ['one', '7'] }, { cells: [null, null] }])).toEqual([
    { id: 'one', count: 7 },
    { id: null, count: null },
  ])
  const text = sql`SELECT id, count FROM job WHERE workspace_id = ${ID}`
  const all = values.reduce<Sql>((sum, value) => sql`${sum} AND ${value}`, text)
  expect(callOf(prepared(all))?.statement.values[2]).toEqual([
    ID,
    null,
    'a "b" \\',
    '{"x,y",NULL,"\\""}',
    '{"1","2.5"}',
    'true',
    '\\x00ff',
    '\\xfe',
    '{"a":1}',
    '1970-01-01T00:00:00.000Z',
  ])
})

test('other statements are sent as they are', () => {
  const own = sql`SELECT 1 AS id, 2 AS count FROM job WHERE workspace_id = ${ID}`
  expect(callOf(prepared(own))).toBeDefined()
  // Its plan depends on its values.
  expect(callOf(own)).toBeUndefined()
  expect(callOf(prepared(acrossWorkspaces(own)))).toBeUndefined()
  expect(callOf(prepared(sql`${own} AND workspace_id = ${OTHER}`))).toBeUndefined()
  expect(callOf(prepared(sql`SELECT role_in(${ID}, ${OTHER})`))).toBeUndefined()
  expect(
    callOf(
      prepared(sql`WITH one AS (DELETE FROM job WHERE workspace_id = ${ID} RETURNING 1) SELECT * FROM one`),
    ),
  ).toBeUndefined()
  expect(callOf(prepared(sql`SELECT 1 FROM job WHERE workspace_id = ${ID} FOR UPDATE`))).toBeUndefined()
  expect(callOf(prepared(sql`UPDATE job SET kind = 'a' WHERE workspace_id = ${ID}`))).toBeUndefined()
})

test('what a node refused is sent as it is for a while, and then asked of it again', () => {
  const kept = openNodeStatements(() => (text) => text)
  const statement = prepared(sql`SELECT id, count FROM job WHERE workspace_id = ${ID}`)
  kept.learn(statement.text, columns)
  const asked = () => Array.from({ length: 250 }, () => kept.callOf(statement)).filter(Boolean).length
  expect(asked()).toBe(250)
  kept.refuse(statement.text)
  kept.learn(statement.text, columns)
  expect(asked()).toBe(150)
  kept.refuse(statement.text)
  kept.refuse(statement.text)
  expect(asked()).toBe(150)
})

test('only what a node cannot run there is a refusal', () => {
  const coded = (code: string) => Object.assign(new Error('of a node'), { code })
  expect(['42P01', '42883', '42501', '0A000'].map((code) => isRefusedByNode(coded(code)))).toEqual(
    Array(4).fill(true),
  )
  expect(['40001', '57014', '08006'].map((code) => isRefusedByNode(coded(code)))).toEqual(
    Array(3).fill(false),
  )
})
