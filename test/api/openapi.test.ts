// The OpenAPI description: equal to openapi.json, valid OpenAPI 3.1, with the specification's names and statuses.

import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, test } from 'vitest'
import { type Endpoint, endpoints } from '../../src/contract/endpoints.ts'
import { openApi } from '../../src/contract/openapi.ts'

type Json = Record<string, unknown>
const document = openApi('http://127.0.0.1:8484/v1') as {
  paths: Record<string, Record<string, Json & { responses: Json; tags: string[] }>>
  components: { schemas: Record<string, Json & { properties: Json; required?: string[] }> }
}

test('openapi.json is what is served (npx vitest run test/api/openapi.test.ts -u after a change)', async () => {
  await expect(`${JSON.stringify(document, null, 2)}\n`).toMatchFileSnapshot('../../openapi.json')
})

test('it validates as OpenAPI 3.1', async () => {
  const validator = new Validator()
  const result = await validator.validate(structuredClone(document))
  expect(result.errors ?? []).toEqual([])
  expect(validator.version).toBe('3.1')
  expect(document).toMatchObject({
    info: { version: '1.0.0' },
    servers: [{ url: 'http://127.0.0.1:8484/v1' }],
  })
})

test('every endpoint is in it, with its statuses, and extensions are tagged', () => {
  const rows = Object.values<Endpoint>(endpoints)
  for (const row of rows) {
    const operation = document.paths[row.path]?.[row.method.toLowerCase()]
    const partial = row.bytes ? [206, 304] : []
    const expected = [row.status, 401, ...partial, ...row.errors].map(String)
    expect(Object.keys(operation?.responses ?? {}).sort()).toEqual([...expected, 'default'].sort())
    expect(operation?.tags.includes('extension')).toBe(row.extension === true)
  }
  const operations = Object.values(document.paths).flatMap((path) => Object.keys(path))
  expect(operations.length).toBe(rows.length)
  expect(rows.filter((row) => !row.extension).length).toBe(16)
})

test("component names and fields are the specification's", () => {
  const spec: Record<string, [required: string[], optional: string[]]> = {
    Workspace: [['id', 'name', 'ready', 'document_count', 'created_at', 'description', 'updated_at'], []],
    Document: [
      ['id', 'title', 'chunk_count', 'has_tables'],
      ['provider', 'path', 'bytes', 'uploaded_at'],
    ],
    DocumentContent: [['id', 'title', 'total_chunks', 'chunks', 'has_more'], ['next_cursor']],
    Chunk: [
      ['id', 'text'],
      ['document_id', 'document_title', 'type', 'page', 'source_url'],
    ],
    SearchResults: [['query', 'data'], []],
    Entity: [['id', 'name', 'type', 'mention_count'], ['aliases']],
    EntityRef: [['id', 'name'], ['type']],
    Relation: [['type', 'evidence_count', 'entity'], []],
    EntityNeighborhood: [['entity', 'depth', 'outgoing', 'incoming'], []],
    Themes: [['total_entities', 'types', 'top_entities'], ['groups']],
    Answer: [['thread_id', 'answer', 'citations'], ['value']],
    Citation: [
      ['number', 'text'],
      ['chunk_id', 'document_id', 'document_title', 'page', 'source_url'],
    ],
    Job: [['id', 'status', 'files'], []],
    Me: [['id', 'auth', 'scopes', 'workspace_count'], ['email']],
    SearchRequest: [['query'], ['limit', 'scope', 'entity_ids', 'preview']],
    AskRequest: [['question'], ['thread_id', 'stream']],
  }
  for (const [name, [required, optional]] of Object.entries(spec)) {
    const schema = document.components.schemas[name]
    expect(schema?.required?.toSorted(), name).toEqual(required.toSorted())
    expect(Object.keys(schema?.properties ?? {}).sort(), name).toEqual([...required, ...optional].sort())
  }
})

test('it has no safe-integer bounds and no dangling references', () => {
  const text = JSON.stringify(document)
  expect(text).not.toMatch(/9007199254740991|"\$id"|"\$schema"/)
  for (const [, name] of text.matchAll(/#\/components\/schemas\/(\w+)/g)) {
    expect(document.components.schemas).toHaveProperty(name ?? '')
  }
})
