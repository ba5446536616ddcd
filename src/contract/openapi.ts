// The contract's table as OpenAPI 3.1, served at /v1/openapi.json and kept as openapi.json (spec, "Versioning").
// Our own fold: generators name every schema twice and print +-9007199254740991.

import { z } from 'zod'
import * as conversations from './conversations.ts'
import type { Endpoint } from './endpoint.ts'
import { endpoints } from './endpoints.ts'
import * as people from './people.ts'
import * as resources from './resources.ts'

type Json = Record<string, unknown>

const tags: [test: RegExp, name: string][] = [
  [/^\/me/, 'me'],
  [/\/documents|\/scopes/, 'documents'],
  [/\/reindex/, 'documents'],
  [/\/files|\/jobs/, 'uploads'],
  [/\/search/, 'search'],
  [/\/ask|\/threads/, 'ask'],
  [/\/entities|\/themes/, 'knowledge graph'],
  [/\/members|\/activity/, 'people'],
  [/^\/workspaces/, 'workspaces'],
]

const says: Record<number, string> = {
  200: 'Success',
  201: 'Created',
  202: 'Accepted',
  204: 'Done; no body',
  206: 'The range that `Range` asked for',
  304: 'Not modified: `If-None-Match` names these bytes',
  401: 'No valid token: `unauthorized`',
  403: '`insufficient_scope` for a read-only token, `forbidden` when the role is too low',
  404: '`not_found`: absent, or not visible to the caller',
  413: '`file_too_large`',
  416: '`invalid_request`: nothing of the range is in the file',
  422: '`invalid_request`: a malformed body or parameter',
  429: '`rate_limited`',
}

const challenge = {
  'WWW-Authenticate': {
    schema: { type: 'string' },
    description: 'Bearer challenge that points at the protected-resource metadata',
  },
}
const retryAfter = { 'Retry-After': { schema: { type: 'integer' }, description: 'Seconds to wait' } }
const headers: Record<number, Json> = { 401: challenge, 403: challenge, 429: retryAfter }

const info = {
  title: 'Kenning knowledge service',
  version: '1.0.0',
  description:
    'Documents in; exact search, a knowledge graph and cited answers out. Operations tagged `extension` go beyond ' +
    'the published specification. A neighbourhood holds at most 1,000 relations a direction.',
}

const names = z.registry<{ id: string }>()
for (const [id, schema] of Object.entries({ ...resources, ...people, ...conversations }))
  if (schema instanceof z.ZodType) names.add(schema, { id })

/** @param baseUrl origin and `/v1`; the result is plain JSON data */
export function openApi(baseUrl: string): Json {
  const paths: Record<string, Json> = {}
  for (const [id, row] of Object.entries<Endpoint>(endpoints)) {
    paths[row.path] = { ...paths[row.path], [row.method.toLowerCase()]: operation(id, row) }
  }
  return {
    openapi: '3.1.0',
    info,
    servers: [{ url: baseUrl }],
    security: [{ bearer: [] }],
    paths,
    components: {
      schemas: components(),
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key (`ken_mcp_…`, reads) or an OAuth access token (`ken_at_…`)',
        },
      },
    },
  }
}

function operation(id: string, row: Endpoint): Json {
  const tag = tags.find(([test]) => test.test(row.path))?.[1] ?? 'other'
  const body = requestBody(row)
  return {
    operationId: id,
    summary: row.summary,
    tags: row.extension ? [tag, 'extension'] : [tag],
    parameters: [
      ...parameters('path', row.params),
      ...parameters('query', row.query),
      ...(makes(row) ? [idempotencyKey] : []),
    ],
    ...(body ? { requestBody: { required: true, content: body } } : {}),
    responses: responses(row),
  }
}

const parameters = (place: 'path' | 'query', schema: z.ZodObject | undefined): Json[] =>
  Object.entries(schema?.shape ?? {}).map(([name, field]) => ({
    name,
    in: place,
    required: place === 'path',
    schema: inline(field as z.ZodType),
  }))

/** What is made once though the request comes twice. */
const makes = (row: Endpoint): boolean => row.method === 'POST' && row.ability === 'write'

const idempotencyKey: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'The same key with the same request within 24 hours answers with what the first one made; with another request it ' +
    'is 422',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
}

function requestBody(row: Endpoint): Json | undefined {
  if (row.body) return { 'application/json': { schema: reference(row.body) } }
  if (!row.multipart) return undefined
  const file = { type: 'string', format: 'binary', contentMediaType: 'application/octet-stream' }
  const files = { type: 'array', minItems: 1, maxItems: 20, items: file, description: 'At most 100 MB each' }
  const properties = { files, on_conflict: reference(resources.OnConflict) }
  return { 'multipart/form-data': { schema: { type: 'object', required: ['files'], properties } } }
}

function responses(row: Endpoint): Json {
  const success: Json = {}
  if (row.output && row.events !== 'always') success['application/json'] = { schema: reference(row.output) }
  if (row.events) success['text/event-stream'] = { schema: { type: 'string', description: eventsOf(row) } }
  if (row.bytes) success[row.bytes] = { schema: { type: 'string', format: 'binary' } }
  const all: Json = {
    [row.status]: { description: says[row.status], ...(row.output || row.bytes ? { content: success } : {}) },
    ...(row.bytes
      ? { 206: { description: says[206], content: success }, 304: { description: says[304] } }
      : {}),
  }
  for (const status of [401, ...row.errors]) all[status] = failure(says[status], status)
  return { ...all, default: failure('Any other error: its `type` stands in the body', 0) }
}

const eventsOf = (row: Endpoint): string =>
  row.events === 'always'
    ? 'Events `progress` (JobProgress), also after the job is done; the last is one `complete` (JobProgress)'
    : 'With `stream: true`: events `step` (Step), then one `answer` (Answer) or `error` (ErrorBody)'

const failure = (description: string | undefined, status: number): Json => ({
  description,
  ...(headers[status] ? { headers: headers[status] } : {}),
  content: {
    'application/json': {
      schema: reference(status === 422 ? resources.ValidationErrorBody : resources.ErrorBody),
    },
  },
})

function reference(schema: z.ZodType): Json {
  const name = names.get(schema)?.id
  return name ? { $ref: `#/components/schemas/${name}` } : inline(schema)
}

// `input`: what has a default is not required, in answers as in the specification's tables.
const options = { io: 'input', override: ({ jsonSchema }: { jsonSchema: Json }) => tidy(jsonSchema) } as const

function inline(schema: z.ZodType): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, options)
  return rest
}

function components(): Json {
  const { schemas } = z.toJSONSchema(names, { ...options, uri: (id) => `#/components/schemas/${id}` })
  const plain = Object.entries(schemas).map(([id, { $schema: _, $id: __, ...rest }]) => [id, rest])
  return Object.fromEntries(plain)
}

/** Leaves out what says nothing: bounds of safe integers, patterns of formats, `anyOf` around a null. */
function tidy(schema: Json): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
  if (schema.minLength === 0) delete schema.minLength
  if (schema.format !== undefined) delete schema.pattern
  const [some, none] = Array.isArray(schema.anyOf) ? (schema.anyOf as Json[]) : []
  if (some && none?.type === 'null' && typeof some.type === 'string') {
    delete schema.anyOf
    Object.assign(schema, { ...some, type: [some.type, 'null'] })
  }
}
