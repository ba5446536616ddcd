// openapi.json as an integrator reads it: nothing is without a description and an example, each example is what its schema allows and
// no more, and all of them are about one small library.

import { readdirSync, readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, test } from 'vitest'
import { type Endpoint, type EndpointId, endpoints } from '../endpoints.ts'
import { openApi } from '../openapi.ts'
import { ID } from './library.ts'
import { operationTexts, schemaTexts } from './reference.ts'

type Json = Record<string, unknown>
interface Media {
  schema: Json
  example?: unknown
}
interface Operation {
  operationId: EndpointId
  summary: string
  description: string
  parameters: { name: string; in: string; schema: Json; description: string; example: unknown }[]
  requestBody?: { content: Record<string, Media> }
  responses: Record<string, { content?: Record<string, Media> }>
}
const description = openApi('https://kenning.example.org/v1') as {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Json & { description: string; examples: unknown[] }> }
}
const operations = Object.values(description.paths).flatMap((path) => Object.values(path))
const schemas = Object.entries(description.components.schemas)

/** Without a field that the schema does not have: by itself JSON Schema allows any. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed)
  if (typeof schema !== 'object' || schema === null) return schema
  const entries = Object.entries(schema).map(([name, value]) => [
    name,
    name === 'examples' ? value : closed(value),
  ])
  const inner = Object.fromEntries(entries)
  return typeof inner.properties === 'object' && inner.type === 'object'
    ? { additionalProperties: false, ...inner }
    : inner
}

const ajv = new Ajv2020({ strict: false, inlineRefs: false })
addFormats.default(ajv)
ajv.addSchema({ $id: 'openapi', components: closed(description.components) })
const validators = new Map<string, ReturnType<typeof ajv.compile>>()
function errorsOf(schema: Json, example: unknown): unknown[] {
  const text = JSON.stringify(closed(schema)).replaceAll('"#/components/', '"openapi#/components/')
  const validate = validators.get(text) ?? ajv.compile(JSON.parse(text))
  validators.set(text, validate)
  return validate(example) ? [] : (validate.errors ?? [])
}

/** A plain sentence or several: no stand-in, nothing unfinished. */
function expectSentences(text: string, where: string): void {
  expect(text, where).toMatch(/^[A-Z`].{15,}[.!]$/s)
  expect(text, where).not.toMatch(/lorem|todo|tbd|undefined|\.\.| {2}| \.|\bfoo\b/i)
  expect(text.split('`').length % 2, `${where}: code that does not end`).toBe(1)
}

test('the checks see what is wrong', () => {
  const schema = { $ref: '#/components/schemas/Document' }
  const [, { examples } = { examples: [] }] = schemas.find(([name]) => name === 'Document') ?? []
  const example = examples[0] as Json
  expect(errorsOf(schema, example)).toEqual([])
  expect(errorsOf(schema, { ...example, id: 'x' })).toHaveLength(1)
  expect(errorsOf(schema, { ...example, uploaded_at: 'yesterday' })).toHaveLength(1)
  expect(errorsOf(schema, { ...example, colour: 'red' })).toHaveLength(1)
  expect(errorsOf(schema, { ...example, title: undefined })).toHaveLength(1)
})

describe('schemas', () => {
  test('each text has its schema', () => {
    expect(Object.keys(schemaTexts).sort()).toEqual(schemas.map(([name]) => name).sort())
    expect(schemas.length).toBeGreaterThan(130)
  })

  test.each(schemas)('%s has a description, and an example that it allows', (name, schema) => {
    expectSentences(schema.description, name)
    expect(schema.examples).toHaveLength(1)
    expect(errorsOf({ $ref: `#/components/schemas/${name}` }, schema.examples[0])).toEqual([])
  })
})

describe('operations', () => {
  test('there is one for each endpoint', () => {
    expect(operations.map(({ operationId }) => operationId).sort()).toEqual(Object.keys(endpoints).sort())
  })

  test.each(operations.map((one) => [one.operationId, one] as const))(
    '%s has a description, and examples that its schemas allow',
    (id, { description: text, parameters, requestBody, responses }) => {
      expectSentences(text, id)
      expectSentences(operationTexts[id].does, id)
      const row: Endpoint = endpoints[id]
      for (const status of row.errors) expect(text).toMatch(new RegExp(` ${status}: [^:]+\\.`))
      for (const { name, schema, description: meaning, example } of parameters) {
        expect(meaning, `${id} ${name}`).toMatch(/^[A-Z0-9`].{10,}/)
        expect(errorsOf(schema, example), `${id} ${name}`).toEqual([])
      }
      const answers = Object.entries(responses).filter(([status]) => status.startsWith('2'))
      const media = [requestBody?.content, ...answers.map(([, { content }]) => content)]
        .flatMap((content) => Object.entries(content ?? {}))
        .filter(
          ([, { schema }]) => schema.format !== 'binary' && !JSON.stringify(schema).includes('"binary"'),
        )
      for (const [type, { schema, example }] of media) {
        expect(example, `${id} ${type}`).toBeDefined()
        expect(errorsOf(schema, example), `${id} ${type}`).toEqual([])
      }
    },
  )

  test('streams show events with the data that their schemas allow', () => {
    const events = operations.flatMap(({ responses }) => {
      const example = responses[200]?.content?.['text/event-stream']?.example
      return typeof example === 'string' ? [...example.matchAll(/^event: (\w+)\ndata: (.+)\n\n/gm)] : []
    })
    const names: Record<string, string> = {
      step: 'Step',
      answer: 'Answer',
      progress: 'JobProgress',
      complete: 'JobProgress',
    }
    expect(events.map(([, name]) => name)).toEqual(expect.arrayContaining(Object.keys(names)))
    for (const [, name = '', data = ''] of events)
      expect(errorsOf({ $ref: `#/components/schemas/${names[name]}` }, JSON.parse(data)), name).toEqual([])
  })

  test('who may call it fits what its row asks of the credential', () => {
    const readers = ['anybody', 'person', 'reader', 'readingEditor', 'readingOwner', 'asker']
    const writers = ['user', 'person', 'editor', 'owner']
    for (const { operationId: id } of operations) {
      const { ability }: Endpoint = endpoints[id]
      const allowed = ability === 'write' ? writers : ability === 'own' ? ['asker'] : readers
      expect(allowed, id).toContain(operationTexts[id].callers)
    }
  })
})

test('all ids are those of the library', () => {
  const text = JSON.stringify(description)
  const uuids = new Set(text.match(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g))
  expect(uuids.size).toBeGreaterThan(15)
  expect([...uuids].filter((id) => !(Object.values(ID) as string[]).includes(id))).toEqual([])
  expect(Object.entries(ID).filter(([, id]) => !uuids.has(id))).toEqual([])
  // Hosts and addresses are reserved for examples.
  const hosts = new Set([...text.matchAll(/(?:https?:\/\/|@)([\w.-]+)/g)].map(([, host]) => host))
  expect([...hosts].sort()).toEqual(['kenning.example.org', 'tidewick.example'])
})

test('nothing loads the texts before somebody asks for the description: no process at its start, and not the console', () => {
  const files = ['src', 'web/src'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
  )
  const sources = files.filter((path) => /\.tsx?$/.test(path) && !path.endsWith('.test.ts'))
  const importing = (pattern: RegExp): string[] =>
    sources.filter((path) => pattern.test(readFileSync(path, 'utf8'))).sort()
  expect(importing(/from '[^']*\/(?:contract\/)?openapi\.ts'/)).toEqual([])
  expect(importing(/import\('[^']*\/contract\/openapi\.ts'\)/)).toEqual([
    'src/http/health.ts',
    'src/http/reference/reference.ts',
  ])
  expect(importing(/contract\/reference\//)).toEqual([])
  const inContract = importing(/from '\.\/reference\//).filter((path) => path.startsWith('src/contract/'))
  expect(inContract).toEqual(['src/contract/openapi.ts'])
})
