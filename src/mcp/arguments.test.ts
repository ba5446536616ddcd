import { expect, test } from 'vitest'
import { z } from 'zod'
import { readArguments } from './arguments.ts'

const schema = z.object({
  query: z.string(),
  document: z.string().optional(),
  limit: z.int().min(1).max(20).optional(),
})

test('each argument is converted by itself, only where its type is not accepted', () => {
  expect(readArguments(schema, { query: '2024', limit: 5 })).toEqual({ query: '2024', limit: 5 })
  expect(readArguments(schema, { query: 2024, limit: '5' })).toEqual({ query: '2024', limit: 5 })
  expect(readArguments(schema, { query: 'x', document: '00712345', limit: '500' })).toEqual({
    query: 'x',
    document: '00712345',
    limit: 20,
  })
})

test('other names are accepted, unless they are arguments themselves, and null is a missing value', () => {
  expect(readArguments(schema, { question: 'x', document_id: 'y', top_k: null })).toEqual({
    query: 'x',
    document: 'y',
  })
  const lookUp = z.object({ query: z.string(), text: z.string().optional() })
  expect(() => readArguments(lookUp, { text: 'x' })).toThrow(/^query is missing. The arguments of this tool/)
})

test('a fraction stays a number, so that the error is about what was sent', () => {
  expect(() => readArguments(schema, { query: 'x', limit: 2.5 })).toThrow(/^limit: .*int/)
})

test('an argument of a wrong type under another name is not called missing', () => {
  expect(() => readArguments(schema, { userQuery: {} })).toThrow(/^query: /)
})
