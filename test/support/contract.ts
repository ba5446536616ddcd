// Every answer in every test is held against the contract: the row's schema, or an allowed error in its shape.

import { expect } from 'vitest'
import type { z } from 'zod'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import { endpoints } from '../../src/contract/endpoints.ts'
import { ErrorBody, ValidationErrorBody } from '../../src/contract/resources.ts'
import { isAllowedError } from '../../src/errors.ts'

export interface Answered {
  status: number
  headers: Record<string, unknown>
  /** Parsed JSON, or the text when it is none. */
  body: unknown
  text: string
}

// What the HTTP layer may say on any route, besides the statuses of the row.
const anywhere = [400, 401, 404, 405, 408, 413, 414, 417, 431, 503]

/** The row that serves a method and path, if one does. */
export function rowOf(method: string, url: string): Endpoint | undefined {
  const path = url.split('?')[0]?.replace(/^\/v1/, '') ?? ''
  return Object.values<Endpoint>(endpoints).find(
    (row) => row.method === method && new RegExp(`^${row.path.replace(/\{\w+\}/g, '[^/]+')}$`).test(path),
  )
}

export function checkAnswer(row: Endpoint | undefined, answer: Answered): void {
  const { status, headers } = answer
  expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
  expect(headers['x-content-type-options']).toBe('nosniff')
  if (status >= 400) checkError(row, answer)
  else if (row) checkSuccess(row, answer)
}

function checkSuccess(row: Endpoint, { status, headers, body, text }: Answered): void {
  if (row.bytes) {
    checkBytes(status, headers)
    return
  }
  expect(status).toBe(row.status)
  if (!row.output) {
    expect(text).toBe('')
  } else if (String(headers['content-type']).startsWith('text/event-stream')) {
    expect(row.events).toBeDefined()
  } else {
    expect(headers['content-type']).toBe('application/json; charset=utf-8')
    expectExactly(row.output, body)
  }
}

/** A file is sent so that no browser runs it, and with what a second request needs to ask for less. */
function checkBytes(status: number, headers: Answered['headers']): void {
  expect([200, 206, 304]).toContain(status)
  expect(headers.etag).toMatch(/^"[\w-]+"$/)
  if (status === 304) return
  expect(headers['accept-ranges']).toBe('bytes')
  expect(headers['content-disposition']).toMatch(/^attachment; filename="/)
  expect(headers['content-security-policy']).toContain('sandbox;')
}

function checkError(row: Endpoint | undefined, { status, headers, body }: Answered): void {
  const { type } = ErrorBody.parse(body).error
  expect(isAllowedError(status, type), `${status} ${type}`).toBe(true)
  if (row) expect([...anywhere, ...row.errors, ...(row.ability === 'any' ? [] : [403])]).toContain(status)
  expectExactly(status === 422 ? ValidationErrorBody : ErrorBody, body)
  if (status === 422) {
    for (const item of ValidationErrorBody.parse(body).detail) {
      expect(['body', 'query', 'path']).toContain(item.loc[0])
      expect(JSON.stringify(item.input).length).toBeLessThan(900)
    }
  }
  if (status === 401) expect(headers['www-authenticate']).toMatch(/^Bearer resource_metadata="[^"]+"/)
  if (type === 'insufficient_scope') {
    expect(headers['www-authenticate']).toMatch(
      /^Bearer error="insufficient_scope", scope="[^"]+", resource_/,
    )
  }
  if (status === 429 || status === 503) expect(headers['retry-after']).toMatch(/^[1-9]\d*$/)
}

/** Fits the schema and has no field that the schema does not know. */
function expectExactly(schema: z.ZodType, body: unknown): void {
  const parsedBody = schema.parse(body)
  expect(Object.keys(parsedBody as object)).toEqual(expect.arrayContaining(Object.keys(body as object)))
}
