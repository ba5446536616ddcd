// Random requests built from the contract: every response is one that the contract allows, never a 5xx.

import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Endpoint, type EndpointId, endpoints } from '../../src/contract/endpoints.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { runs } from '../support/full.ts'
import { type Contents, furnish, pathOf } from '../support/world.ts'

// For each endpoint.
const RUNS = runs(150, 40)

let app: TestApp
let token: string
let here: Contents

beforeAll(async () => {
  app = await testApp({ askPerHour: 1_000_000 })
  const owner = await app.person()
  token = await app.token(owner)
  here = await furnish(app, owner)
})
afterAll(() => app.close())

const rows = (Object.entries(endpoints) as [EndpointId, Endpoint][]).filter(
  ([id]) => !id.startsWith('delete'),
)
const keysOf = (schema: Endpoint['body']): string[] => Object.keys(schema?.shape ?? {})

const nasty = fc.constantFrom(
  "' OR 1=1; --",
  '%',
  '_',
  '\\',
  "'; SELECT pg_sleep(5); --",
  '& | ! <-> :* ( )',
  '\u0000',
  '\ud800',
  '🦊'.repeat(50),
  '<script>alert(1)</script>',
  '{{7*7}}',
  '../../etc/passwd',
  '"',
  '\u202e\u200b\ufeff',
  'ﷺ'.repeat(100),
  '-',
  '*',
)
const text = fc.oneof(nasty, fc.string({ unit: 'binary', maxLength: 60 }), fc.string({ maxLength: 60 }))
const number = fc.oneof(fc.integer(), fc.double(), fc.constantFrom(0, -1, 1, 2 ** 31, 2 ** 53, 1e308, 0.1))
const anything = fc.oneof(
  text,
  number,
  fc.boolean(),
  fc.constant(null),
  fc.array(text, { maxLength: 5 }),
  fc.jsonValue(),
)

/** A dictionary over the row's own fields and some that are not. */
const over = <T>(keys: string[], value: fc.Arbitrary<T>): fc.Arbitrary<Record<string, T>> =>
  fc.dictionary(
    fc.oneof(fc.constantFrom(...keys, '__proto__', 'constructor', 'x'), fc.string({ maxLength: 8 })),
    value,
    {
      maxKeys: 6,
    },
  )

describe.each(rows)('%s', (id, row) => {
  test('responds within the contract', async () => {
    const query = over(keysOf(row.query), fc.oneof(text, fc.integer().map(String)))
    const body = fc.oneof({ weight: 5, arbitrary: over(keysOf(row.body), anything) }, anything)
    await fc.assert(
      fc.asyncProperty(query, body, async (parameters, sent) => {
        const wellFormed = Object.entries(parameters).map(([key, value]): [string, string] => [
          key,
          value.toWellFormed(),
        ])
        const more = row.body ? { body: sent ?? null } : {}
        const url = `${pathOf(id, here)}?${new URLSearchParams(wellFormed)}`
        const { status } = await app.send(row.method, url, token, more)
        expect(status).toBeLessThan(500)
      }),
      { numRuns: RUNS },
    )
  })
})
