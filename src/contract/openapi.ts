// The contract as OpenAPI 3.1, served at /v1/openapi.json and stored as openapi.json (spec, "Versioning"). It is not made by a
// library, because the generators we tried emit every schema twice, and bounds of +-9007199254740991.

import { z } from 'zod'
import * as archives from './archives.ts'
import * as checks from './checks.ts'
import * as conversations from './conversations.ts'
import type { Endpoint } from './endpoint.ts'
import { type EndpointId, endpoints } from './endpoints.ts'
import * as evaluation from './evaluation.ts'
import * as inspection from './inspection.ts'
import * as moves from './moves.ts'
import * as people from './people.ts'
import {
  descriptionOf,
  eventExamples,
  operationTexts,
  parameters as parameterTexts,
  schemaTexts,
} from './reference/reference.ts'
import * as resources from './resources.ts'
import * as sources from './sources.ts'
import * as trash from './trash.ts'
import * as usage from './usage.ts'
import * as webhooks from './webhooks.ts'

type Json = Record<string, unknown>

const tags: [test: RegExp, name: string][] = [
  [/^\/me/, 'me'],
  [/\/documents|\/folders|\/scopes/, 'documents'],
  [/\/reindex/, 'documents'],
  [/\/files|\/jobs/, 'uploads'],
  [/\/search/, 'search'],
  [/\/ask|\/threads/, 'ask'],
  [/\/entities|\/themes/, 'knowledge graph'],
  [/\/members|\/activity/, 'people'],
  [/\/source/, 'sources'],
  [/\/webhooks/, 'webhooks'],
  [/^\/workspaces\/.*\/trash/, 'documents'],
  [/^\/workspaces|^\/trash/, 'workspaces'],
]

const statusDescriptions: Record<number, string> = {
  200: 'Success',
  201: 'Created',
  202: 'Accepted',
  204: 'Success without a body',
  206: 'The requested range',
  304: 'Not modified: `If-None-Match` matches',
  401: '`unauthorized`: the credential is missing or invalid',
  403: '`insufficient_scope` for a read-only credential, `forbidden` if the role is too low',
  404: '`not_found`: does not exist or is not visible to the caller',
  413: '`file_too_large`',
  416: '`invalid_request`: the range is outside the file',
  422: '`invalid_request`: invalid body or parameter',
  429: '`rate_limited`',
}

const challenge = {
  'WWW-Authenticate': {
    schema: { type: 'string' },
    description: 'Bearer challenge with the URL of the protected resource metadata',
  },
}
const retryAfter = { 'Retry-After': { schema: { type: 'integer' }, description: 'Seconds to wait' } }
const headers: Record<number, Json> = { 401: challenge, 403: challenge, 429: retryAfter }

const info = {
  title: 'Kenning knowledge service',
  version: '1.0.0',
  description:
    'Documents in; exact search, a knowledge graph and cited answers out. Operations tagged `extension` are not part of ' +
    'the published specification. A neighborhood has at most 1,000 relations in each direction.',
}

const names = z.registry<{ id: string }>()
// Sorted, because tools differ in the order of a module's exports, and openapi.json has to equal what is served.
const schemaEntries = Object.entries<unknown>({
  ...resources,
  ...archives,
  ...checks,
  ...people,
  ...conversations,
  ...evaluation,
  ...inspection,
  ...moves,
  ...sources,
  ...trash,
  ...usage,
  ...webhooks,
})
for (const [id, schema] of schemaEntries.sort(([a], [b]) => (a < b ? -1 : 1)))
  if (schema instanceof z.ZodType) names.add(schema, { id })

/** @param baseUrl origin and `/v1` */
export function openApi(baseUrl: string): Json {
  const paths: Record<string, Json> = {}
  for (const [id, row] of Object.entries<Endpoint>(endpoints) as [EndpointId, Endpoint][]) {
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
          description: 'An API key (`ken_mcp_…`, read-only) or an OAuth access token (`ken_at_…`)',
        },
      },
    },
  }
}

function operation(id: EndpointId, row: Endpoint): Json {
  const tag = tags.find(([test]) => test.test(row.path))?.[1] ?? 'other'
  const body = requestBody(id, row)
  return {
    operationId: id,
    summary: row.summary,
    description: descriptionOf(id, row),
    tags: row.extension ? [tag, 'extension'] : [tag],
    parameters: [
      ...parameters('path', row.params),
      ...parameters('query', row.query, operationTexts[id].query),
      ...(isIdempotent(row) ? [idempotencyKey] : []),
    ],
    ...(body ? { requestBody: { required: true, content: body } } : {}),
    responses: responses(id, row),
  }
}

const parameters = (
  location: 'path' | 'query',
  schema: z.ZodObject | undefined,
  examples: Json = {},
): Json[] =>
  Object.entries(schema?.shape ?? {}).map(([name, field]) => ({
    name,
    in: location,
    required: location === 'path',
    schema: inline(field as z.ZodType),
    ...parameterTexts[name as keyof typeof parameterTexts],
    ...(name in examples ? { example: examples[name] } : {}),
  }))

/** The example of an operation, or that of the schema. */
const exampleOf = (schema: z.ZodType, example: unknown): unknown =>
  example ?? schemaTexts[names.get(schema)?.id ?? '']?.example

/** Whether the endpoint supports Idempotency-Key. */
const isIdempotent = (row: Endpoint): boolean => row.method === 'POST' && row.ability === 'write'

const idempotencyKey: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Repeating a request with the same key within 24 hours returns the result of the first one; a different request with ' +
    'the same key is 422',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
  example: 'upload-2026-11-24-1',
}

function requestBody(id: EndpointId, row: Endpoint): Json | undefined {
  if (row.body) {
    const example = exampleOf(row.body, operationTexts[id].body)
    return { 'application/json': { schema: reference(row.body), example } }
  }
  if (row.archive) return { [row.archive]: { schema: { type: 'string', format: 'binary' } } }
  if (!row.multipart) return undefined
  const file = { type: 'string', format: 'binary', contentMediaType: 'application/octet-stream' }
  const files = { type: 'array', minItems: 1, maxItems: 20, items: file, description: 'At most 100 MB each' }
  const properties = { files, on_conflict: reference(resources.OnConflict) }
  return { 'multipart/form-data': { schema: { type: 'object', required: ['files'], properties } } }
}

function responses(id: EndpointId, row: Endpoint): Json {
  const success: Json = {}
  if (row.output && row.events !== 'always') {
    const example = exampleOf(row.output, operationTexts[id].output)
    success['application/json'] = { schema: reference(row.output), example }
  }
  if (row.events) {
    const schema = { type: 'string', description: eventsOf(row) }
    success['text/event-stream'] = { schema, example: eventExamples[id] }
  }
  if (row.bytes) success[row.bytes] = { schema: { type: 'string', format: 'binary' } }
  const responseByStatus: Json = {
    [row.status]: {
      description: statusDescriptions[row.status],
      ...(row.output || row.bytes ? { content: success } : {}),
    },
    ...(row.bytes
      ? {
          206: { description: statusDescriptions[206], content: success },
          304: { description: statusDescriptions[304] },
        }
      : {}),
  }
  for (const status of [401, ...row.errors])
    responseByStatus[status] = failure(statusDescriptions[status], status)
  return { ...responseByStatus, default: failure('Any other error; the body has its `type`', 0) }
}

const eventsOf = (row: Endpoint): string =>
  row.events === 'always'
    ? 'Events `progress` (JobProgress), which continue after the job is done, and finally one `complete` (JobProgress)'
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

// With `input`, fields with a default are not required, also in responses. So it is in the tables of the specification.
const options = {
  io: 'input',
  override: ({ jsonSchema }: { jsonSchema: Json }) => simplify(jsonSchema),
} as const

function inline(schema: z.ZodType): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, options)
  return rest
}

function components(): Json {
  const { schemas } = z.toJSONSchema(names, { ...options, uri: (id) => `#/components/schemas/${id}` })
  const describedSchemas = Object.entries(schemas).map(([id, { $schema: _, $id: __, ...rest }]) => {
    const { description, example } = schemaTexts[id] ?? {}
    return [id, { ...rest, description, examples: [example] }]
  })
  return Object.fromEntries(describedSchemas)
}

/** Removes bounds of safe integers and patterns of formats, and simplifies `anyOf` with null. */
function simplify(schema: Json): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
  if (schema.minLength === 0) delete schema.minLength
  const [firstSchema, secondSchema] = Array.isArray(schema.anyOf) ? (schema.anyOf as Json[]) : []
  if (firstSchema && secondSchema?.type === 'null' && typeof firstSchema.type === 'string') {
    delete schema.anyOf
    Object.assign(schema, { ...firstSchema, type: [firstSchema.type, 'null'] })
  }
  if (schema.format !== undefined) delete schema.pattern
}
