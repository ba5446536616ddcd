// The list of tools: what every connected model reads, and what that costs.

import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { expect, test } from 'vitest'
import { catalog, listedTools } from './catalog.ts'
import { INSTRUCTIONS } from './mcp.ts'

const MAX_TOKENS = 2500

const readers = listedTools({ scopes: ['knowledge:read'] } as never)
const writers = listedTools({ scopes: ['knowledge:read', 'knowledge:write'] } as never)

test('the list costs at most 2,500 tokens, for writers too', () => {
  expect(encode(JSON.stringify(writers)).length).toBeLessThanOrEqual(MAX_TOKENS)
})

test('readers see eleven tools, all of which only read; writers three more', () => {
  expect(readers).toHaveLength(11)
  expect(readers.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true)
  const added = writers.slice(readers.length).map(({ name }) => name)
  expect(writers.slice(0, readers.length)).toEqual(readers)
  expect(added).toEqual(['upload_text', 'create_workspace', 'delete_document'])
  expect(writers.filter(({ annotations }) => annotations?.destructiveHint).map(({ name }) => name)).toEqual([
    'delete_document',
  ])
})

test('every tool has a title, a description, both schemas and all three hints', () => {
  for (const { title, description, inputSchema, outputSchema, annotations } of writers) {
    expect(title).toBeTruthy()
    expect(description?.length).toBeGreaterThan(20)
    expect([inputSchema.type, outputSchema?.type]).toEqual(['object', 'object'])
    expect(Object.keys(annotations ?? {}).sort()).toEqual([
      'destructiveHint',
      'openWorldHint',
      'readOnlyHint',
    ])
  }
})

test('a tool that writes needs the ability to write', () => {
  for (const { name, ability, hints } of catalog) expect(ability === 'read', name).toBe(hints.readOnlyHint)
})

test('no tool requires a workspace', () => {
  for (const { inputSchema } of writers) expect(inputSchema.required ?? []).not.toContain('workspace')
})

test('the instructions are read whole by hosts that stop at 512 characters', () => {
  expect(INSTRUCTIONS.length).toBeLessThanOrEqual(512)
})
