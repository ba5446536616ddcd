// Generated from the published schemas: for each endpoint wrong types, each bound at, below and above its limit, invalid ids and
// invalid JSON. Errors are in the words of pydantic 2.

import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Endpoint, type EndpointId, endpoints } from '../../src/contract/endpoints.ts'
import { openApi } from '../../src/contract/openapi.ts'
import type { ValidationErrorItem } from '../../src/contract/resources.ts'
import { ABSENT, type Person, type TestApp, testApp } from '../support/app.ts'
import type { Answered } from '../support/contract.ts'
import { cancelImports } from '../support/imports.ts'
import { makeAdmin } from '../support/rows.sql.ts'
import { addSource, type Contents, furnish, multipart, pathOf, validBody } from '../support/world.ts'

interface Schema {
  type?: string | string[]
  format?: string
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  pattern?: string
  enum?: string[]
  maxItems?: number
  items?: Schema
  required?: string[]
  properties?: Record<string, Schema>
  $ref?: string
  anyOf?: Schema[]
}
interface Operation {
  parameters: { name: string; in: 'path' | 'query'; schema: Schema }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
}

const description = openApi('http://127.0.0.1:8484/v1') as {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}
const ids = Object.keys(endpoints) as EndpointId[]
const operationOf = (id: EndpointId): Operation => {
  const row = endpoints[id]
  const operation = description.paths[row.path]?.[row.method.toLowerCase()]
  if (!operation) throw new Error(`no operation ${id}`)
  return operation
}
const bodyOf = (id: EndpointId): Schema | undefined => {
  const schema = operationOf(id).requestBody?.content['application/json']?.schema
  return schema && resolved(schema)
}
/** What it refers to; of a choice, the types of all. */
function resolved(schema: Schema): Schema {
  if (schema.$ref) return description.components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}
  if (!schema.anyOf?.some(({ $ref }) => $ref)) return schema
  return { type: schema.anyOf.flatMap((one) => typesOf(resolved(one))) }
}
const withBody = ids.filter((id) => bodyOf(id))

let app: TestApp
let token: string
let here: Contents
let owner: Person

beforeAll(async () => {
  app = await testApp({ askPerHour: 1_000_000 })
  owner = await app.person()
  // Who may import under the archive's own ids.
  await makeAdmin(app.deps.db, owner.id)
  token = await app.token(owner)
  here = await furnish(app, owner)
})
afterAll(() => app.close())

const detailOf = (answer: Answered): ValidationErrorItem[] =>
  (answer.body as { detail?: ValidationErrorItem[] }).detail ?? []

function expectRefused(answer: Answered, loc: string[], type?: string | RegExp): void {
  expect(answer.status, answer.text.slice(0, 300)).toBe(422)
  const found = detailOf(answer).find((item) => JSON.stringify(item.loc) === JSON.stringify(loc))
  expect(found, `${loc.join('.')} in ${answer.text.slice(0, 300)}`).toBeDefined()
  if (type) expect(found?.type).toMatch(type)
}

/** What a request with a query deletes is there again for the next. */
const withWhatItDeletes = async (id: EndpointId): Promise<Contents> =>
  id === 'deleteSource' ? { ...here, source_id: await addSource(app, here.workspace_id, owner) } : here

async function sendQuery(id: EndpointId, query: Record<string, string>): Promise<Answered> {
  // Three may be under way.
  if (id === 'importWorkspace') await cancelImports(app, token)
  return app.send(
    endpoints[id].method,
    `${pathOf(id, await withWhatItDeletes(id))}?${new URLSearchParams(query)}`,
    token,
    validBody(id, here),
  )
}

const MOVING = new Set<EndpointId>(['trashDocuments', 'restoreDocuments', 'moveFolder'])
/** A request that moves what its body names gets a workspace of its own each time. */
const contentsFor = async (id: EndpointId): Promise<Contents> => (MOVING.has(id) ? furnish(app, owner) : here)

async function sendBody(id: EndpointId, change: Record<string, unknown>): Promise<Answered> {
  const contents = await contentsFor(id)
  return app.send(endpoints[id].method, pathOf(id, contents), token, {
    body: { ...(validBody(id, contents).body as object), ...change },
  })
}

const typesOf = (schema: Schema): string[] => [schema.type ?? []].flat()
/** Four bytes, two UTF-16 units, one character: bounds count characters. */
const fox = '🦊'

describe.each(ids.filter((id) => operationOf(id).parameters.some((one) => one.in === 'query')))(
  'query of %s',
  (id) => {
    const parameters = operationOf(id).parameters.filter((one) => one.in === 'query')
    test.each(parameters.map(({ name, schema }) => [name, schema] as const))('%s', async (name, schema) => {
      const loc = ['query', name]
      if (typesOf(schema).includes('integer')) {
        const { minimum = 0, maximum = 0 } = schema
        for (const fine of [minimum, maximum])
          expect((await sendQuery(id, { [name]: String(fine) })).status).toBeLessThan(300)
        expectRefused(await sendQuery(id, { [name]: String(minimum - 1) }), loc, 'greater_than_equal')
        expectRefused(await sendQuery(id, { [name]: '-1' }), loc, 'greater_than_equal')
        expectRefused(await sendQuery(id, { [name]: String(maximum + 1) }), loc, 'less_than_equal')
        expectRefused(await sendQuery(id, { [name]: '9'.repeat(300) }), loc, 'less_than_equal')
        for (const odd of [
          '',
          'x',
          '1.5',
          '1e1',
          '0x1',
          ' ',
          '１',
          'null',
          'NaN',
          'Infinity',
          '1 1',
          '--1',
        ]) {
          expectRefused(await sendQuery(id, { [name]: odd }), loc, 'int_parsing')
        }
      } else if (schema.format === 'uuid') {
        expect((await sendQuery(id, { [name]: randomUUID() })).status).toBe(200)
        for (const odd of ['', 'x', '0', randomUUID().slice(1), fox])
          expectRefused(await sendQuery(id, { [name]: odd }), loc, 'uuid_parsing')
      } else if (schema.enum) {
        // The document of these tests has no pictures of its pages.
        const status = id === 'getPageImage' ? 404 : endpoints[id].status
        for (const one of schema.enum) expect((await sendQuery(id, { [name]: one })).status).toBe(status)
        for (const odd of ['', 'x', ...schema.enum.map((one) => `${one.toUpperCase()}0`)])
          expectRefused(await sendQuery(id, { [name]: odd }), loc, 'enum')
      } else {
        const { maxLength = 0 } = schema
        const longest = await sendQuery(id, { [name]: fox.repeat(maxLength) })
        if (name === 'cursor')
          expectRefused(await sendQuery(id, { cursor: 'x'.repeat(maxLength) }), loc, 'cursor_invalid')
        // No scope has such a name.
        else expect(longest.status).toBe(name === 'scope' ? 404 : endpoints[id].status)
        const beyond = (name === 'cursor' ? 'x' : fox).repeat(maxLength + 1)
        expectRefused(await sendQuery(id, { [name]: beyond }), loc, 'string_too_long')
      }
    })

    test('unknown parameters are ignored, repeated ones are 400', async () => {
      expect((await sendQuery(id, { unknown: '1', __proto__x: '2' })).status).toBeLessThan(300)
      const twice = await app.send(
        endpoints[id].method,
        `${pathOf(id, here)}?limit=1&limit=2`,
        token,
        validBody(id, here),
      )
      expect(twice.status).toBe(400)
    })
  },
)

describe.each(withBody)('body of %s', (id) => {
  const schema = bodyOf(id) ?? {}
  const optional = !schema.required?.length

  test.each(Object.entries(schema.properties ?? {}))('%s', async (name, given) => {
    const field = resolved(given)
    const loc = ['body', name]
    const allowed = typesOf(field)
    const values: [type: string, value: unknown][] = [
      ['null', null],
      ['boolean', true],
      ['integer', 7],
      ['string', 'seven'],
      ['array', ['x']],
      ['object', { x: 1 }],
    ]
    for (const [type, value] of values) {
      if (!allowed.includes(type))
        expectRefused(await sendBody(id, { [name]: value }), loc, /_(type|parsing)$/)
    }
    if (allowed.includes('integer')) {
      expectRefused(await sendBody(id, { [name]: 1.5 }), loc, 'int_from_float')
      expectRefused(await sendBody(id, { [name]: 1e300 }), loc, 'less_than_equal')
    }
    if (schema.required?.includes(name)) {
      const { [name]: _left, ...rest } = validBody(id, here).body as Record<string, unknown>
      const missing = await app.send(endpoints[id].method, pathOf(id, here), token, { body: rest })
      expectRefused(missing, loc, 'missing')
    }
    await atBounds(id, name, field)
  })

  test('not an object, not JSON, nothing, too deep, too large', async () => {
    const raw = (
      payload: string | Buffer,
      headers: Record<string, string> = { 'content-type': 'application/json' },
    ) => app.send(endpoints[id].method, pathOf(id, here), token, { payload, headers })
    for (const value of ['[]', 'null', '1', '"text"', 'true']) {
      expectRefused(await raw(value), ['body'], 'model_attributes_type')
    }
    for (const broken of BROKEN) expectRefused(await raw(broken), ['body'], /^(json_invalid|missing)$/)
    const nested = (levels: number) => `{"x":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`
    const deepest = detailOf(await raw(nested(64))).map(({ type }) => type)
    expect([...new Set(deepest)]).toEqual(optional ? [] : ['missing'])
    for (const levels of [65, 1000, 200_000])
      expectRefused(await raw(nested(levels)), ['body'], 'json_invalid')
    const brackets = await sendBody(id, { x: '['.repeat(1000) })
    expect(brackets.status).toBeLessThan(300)
    const large = await raw(JSON.stringify({ x: 'x'.repeat(1024 * 1024) }))
    expect([large.status, (large.body as { error: { type: string } }).error.type]).toEqual([
      413,
      'invalid_request',
    ])
  })

  test('content type and encoding', async () => {
    const raw = async (headers: Record<string, string>): Promise<Answered> => {
      const contents = await contentsFor(id)
      const payload = JSON.stringify(validBody(id, contents).body)
      return app.send(endpoints[id].method, pathOf(id, contents), token, { payload, headers })
    }
    const wrong = [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'nonsense',
      '',
    ]
    for (const type of [...wrong, 'application/json; charset=utf-16', 'application/json; charset=latin1']) {
      expectRefused(await raw({ 'content-type': type }), ['body'], 'content_type')
    }
    expectRefused(await raw({}), ['body'], 'content_type')
    for (const type of [
      'application/json',
      'Application/JSON; Charset=UTF-8',
      'application/merge-patch+json',
    ]) {
      expect((await raw({ 'content-type': type })).status).toBeLessThan(300)
    }
    for (const encoding of ['gzip', 'deflate', 'br', 'gzip, identity', 'nonsense']) {
      const answer = await raw({ 'content-type': 'application/json', 'content-encoding': encoding })
      expect(answer.status).toBe(400)
    }
  })
})

async function atBounds(id: EndpointId, name: string, field: Schema): Promise<void> {
  const loc = ['body', name]
  const fine = async (value: unknown) => {
    // Only a repository has branches.
    const answer = await sendBody(id, { [name]: value, ...(name === 'branch' ? { kind: 'git' } : {}) })
    // An unknown thread or scope is not found: its syntax was accepted.
    expect([200, 201, 204, 404], answer.text.slice(0, 200)).toContain(answer.status)
  }
  if (field.minimum !== undefined) {
    await fine(field.minimum)
    expectRefused(await sendBody(id, { [name]: field.minimum - 1 }), loc, 'greater_than_equal')
  }
  if (field.maximum !== undefined) {
    await fine(field.maximum)
    expectRefused(await sendBody(id, { [name]: field.maximum + 1 }), loc, 'less_than_equal')
  }
  if (field.minLength !== undefined) {
    if (name !== 'url') await fine('x'.repeat(field.minLength))
    expectRefused(await sendBody(id, { [name]: '' }), loc, 'string_too_short')
  }
  if (field.maxLength !== undefined) {
    // The one pattern of a body is that of an e-mail address; nobody has this one.
    const filled = (length: number) =>
      name === 'url'
        ? 'https://example.org/'.padEnd(length, 'y')
        : field.pattern
          ? 'x@'.padEnd(length, 'y')
          : fox.repeat(length)
    // Folders this long leave no room for the name of a file.
    if (!['folder', 'to', 'below'].includes(name)) await fine(filled(field.maxLength))
    expectRefused(await sendBody(id, { [name]: filled(field.maxLength + 1) }), loc, 'string_too_long')
    if (field.pattern) expectRefused(await sendBody(id, { [name]: 'x' }), loc, 'string_pattern_mismatch')
  }
  if (field.enum) expectRefused(await sendBody(id, { [name]: 'x' }), loc, 'enum')
  const isOfScopes = name === 'scopes' && id === 'moveDocuments'
  if (field.maxItems !== undefined) {
    const item = isOfScopes
      ? { name: 'x', folders: [], previous_folders: [] }
      : field.items?.format === 'uuid'
        ? ABSENT
        : name === 'addresses'
          ? 'https://example.org/'
          : 'x'
    await fine(Array.from({ length: field.maxItems }, () => item))
    const more = Array.from({ length: field.maxItems + 1 }, () => item)
    expectRefused(await sendBody(id, { [name]: more }), loc, 'too_long')
  }
  const itemType = isOfScopes ? 'model_attributes_type' : 'string_type'
  if (field.items) expectRefused(await sendBody(id, { [name]: [1] }), [...loc, '0'], itemType)
}

/** After JSONTestSuite's n_ files: each must be refused as JSON. */
const BROKEN: (string | Buffer)[] = [
  '',
  ' ',
  '\n',
  '{',
  '}',
  '[',
  ']',
  '{]',
  '[}',
  '{"a"',
  '{"a":',
  '{"a":}',
  '{"a":1',
  '{"a":1,',
  '{"a":1,}',
  '{,}',
  '{"a" 1}',
  '{"a":1 "b":2}',
  '{"a"::1}',
  '{a:1}',
  "{'a':1}",
  '{1:1}',
  '{"a":1}}',
  '{"a":1}#',
  '{"a":1}/*c*/',
  '//c\n{}',
  '[1,]',
  '[,1]',
  '[1,,2]',
  '["a" "b"]',
  '["a',
  '"',
  '"a',
  '["\\x00"]',
  '["\\u00A"]',
  '["\\uD800\\u"]',
  '["\\a"]',
  '["\t"]',
  '["\n"]',
  '["\u0000"]',
  '[\u0000]',
  '[nul]',
  '[tru]',
  '[True]',
  '[NaN]',
  '[Infinity]',
  '[-Infinity]',
  '[+1]',
  '[-]',
  '[.5]',
  '[1.]',
  '[01]',
  '[-01]',
  '[1e]',
  '[1e+]',
  '[0x1]',
  '[1_000]',
  '[1 000]',
  '[１]',
  '{"a":1}{"b":2}',
  '1 2',
  '\u00a0{}',
  '{\u00a0}',
  '<xml/>',
  '*',
  '{"a":undefined}',
  '[1}',
  'abc',
  '[⁠]',
  Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
  Buffer.from([0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]),
  Buffer.from([0x22, 0xc0, 0xaf, 0x22]),
  Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]),
]

const NO_UUIDS = [
  'x',
  '1',
  'null',
  'undefined',
  '..%2f..',
  '%20',
  'ffffffff',
  '3f2504e04f8941d39a0c0305e82c3301',
  '{3f2504e0-4f89-41d3-9a0c-0305e82c3301}',
  '3f2504e0-4f89-41d3-9a0c-0305e82c330',
  '3f2504e0-4f89-41d3-9a0c-0305e82c33011',
  '3f2504e0-4f89-41d3-9a0c-0305e82c330g',
  '3f2504e0_4f89_41d3_9a0c_0305e82c3301',
  'urn:uuid:3f2504e0-4f89-41d3-9a0c-0305e82c3301',
  '３f2504e0-4f89-41d3-9a0c-0305e82c3301',
  "'%20OR%201=1--",
  '3f2504e0-4f89-41d3-9a0c-0305e82c3301%0a',
  'x'.repeat(10_000),
]

interface PathCases {
  wrong: string[]
  type: string | RegExp
  /** Well formed, and nobody's. */
  unknown: string[]
}
const UUIDS: PathCases = {
  wrong: NO_UUIDS,
  type: 'uuid_parsing',
  unknown: ['00000000-0000-0000-0000-000000000000', 'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF'],
}
const PATHS: Partial<Record<keyof Contents, PathCases>> = {
  job_id: {
    wrong: ['x'.repeat(129), '%20', '%7f', '%c3%a9', 'a%0ab'],
    type: 'string_pattern_mismatch',
    unknown: ['x', 'x'.repeat(128), "'--", '~'],
  },
  page: {
    wrong: ['0', '01', '-1', '1.5', '1e3', 'x', '%201', '1000000000', 'x'.repeat(1000)],
    type: 'string_pattern_mismatch',
    // Beyond the last page, and of a document without pages.
    unknown: ['2', '999999999'],
  },
  version_id: {
    wrong: ['x', 'A'.repeat(64), 'a'.repeat(63), 'a'.repeat(65), '%20'],
    type: 'string_pattern_mismatch',
    unknown: ['0'.repeat(64), 'f'.repeat(64)],
  },
  turn_number: {
    wrong: ['0', '01', '-1', '1.5', 'x', '1000000000'],
    type: 'string_pattern_mismatch',
    unknown: ['2', '999999999'],
  },
  scope_name: {
    wrong: ['%20', '%09', 'x'.repeat(201)],
    type: /^string_too_(short|long)$/,
    unknown: ['x', 'x'.repeat(200), '%c3%a9%2f..%2f', "'--"],
  },
}

describe.each(ids.filter((id) => endpoints[id].path.includes('{')))('path of %s', (id) => {
  const names = operationOf(id)
    .parameters.filter((one) => one.in === 'path')
    .map(({ name }) => name as keyof Contents)

  test.each(names)('%s', async (name) => {
    const row: Endpoint = endpoints[id]
    const at = (text: string) => pathOf(id, { ...here, [name]: '@@' }).replace('%40%40', text)
    const send = (text: string) =>
      app.send(row.method, encodeURI(decodeURI(at(text))).replaceAll('%25', '%'), token, validBody(id, here))
    const { wrong, type, unknown } = PATHS[name] ?? UUIDS
    for (const text of wrong) expectRefused(await send(text), ['path', name], type)
    if (id === 'putScope' && name === 'scope_name') return
    for (const text of unknown) expect((await send(text)).status).toBe(404)
  })
})

test('errors in path, query and body are reported together', async () => {
  const answer = await app.send('POST', '/v1/workspaces/x/search', token, { body: { query: '', limit: 0 } })
  expect(detailOf(answer).map(({ loc }) => loc.join('.'))).toEqual([
    'path.workspace_id',
    'body.query',
    'body.limit',
  ])
})

test('the reported input is cut at 200 characters', async () => {
  const answer = await app.send('POST', '/v1/workspaces', token, { body: { name: 'n'.repeat(100_000) } })
  expect(String(detailOf(answer)[0]?.input).length).toBe(200)
  expect(answer.text.length).toBeLessThan(1000)
})

test('an upload that is not multipart with a boundary is 422 before its workspace is checked', async () => {
  const send = (headers: Record<string, string>, at = here) =>
    app.send('POST', pathOf('uploadFiles', at), token, {
      ...multipart([{ name: 'a.md', text: 'a' }]),
      headers,
    })
  for (const type of [
    'application/json',
    'multipart/form-data',
    'multipart/form-data; boundary=',
    'text/plain',
    '',
  ]) {
    expectRefused(await send({ 'content-type': type }), ['body'], 'content_type')
  }
  const gzip = { 'content-type': 'multipart/form-data; boundary=a-boundary', 'content-encoding': 'gzip' }
  expect((await send(gzip)).status).toBe(400)
})
