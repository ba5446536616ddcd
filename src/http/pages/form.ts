// Forms of the pages: read as browsers send them, only from our own pages, and for whom the page was made (CSRF).

import { createHmac, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { uuid } from '../../contract/fields.ts'
import { ApiError, forbidden, invalid, notFound } from '../../errors.ts'
import type { Deps } from '../../ports/deps.ts'
import { requireSameOrigin } from '../account/session.ts'
import { readUrlencoded } from '../request/body.ts'
import { letBodyCome } from '../request/expect-continue.ts'
import { type Html, html } from './html.ts'

const MOST_BYTES = 64 * 1024

/** The fields of a form. */
export interface Form {
  /** Undefined when absent. @throws ApiError 400 when it stands twice */
  text(name: string): string | undefined
  /** All values of a field that may stand several times, such as checkboxes. */
  all(name: string): string[]
}

/**
 * Reads a form that one of our pages sent.
 * @throws ApiError 403 from another origin, 400, 413 or 422 for a body that is no form
 */
export async function readForm(deps: Pick<Deps, 'settings'>, request: FastifyRequest): Promise<Form> {
  requireSameOrigin(request, deps.settings.origin)
  letBodyCome(request.raw)
  const fields = await readUrlencoded(request.raw, MOST_BYTES)
  return {
    all: (name) => fields.getAll(name),
    text: (name) => {
      const [value, second] = fields.getAll(name)
      if (second === undefined) return value
      throw new ApiError(400, 'invalid_request', `The field ${name} stands twice in the form.`)
    },
  }
}

/** Like readForm, for a page that was made for somebody signed in. @throws ApiError 403 for another session's page */
export async function readFormOf(
  deps: Pick<Deps, 'settings' | 'cursorKey'>,
  request: FastifyRequest,
  sessionSecret: string,
): Promise<Form> {
  const form = await readForm(deps, request)
  const right = Buffer.from(csrfToken(deps, sessionSecret))
  const sent = Buffer.from(form.text('csrf') ?? '')
  if (sent.length === right.length && timingSafeEqual(sent, right)) return form
  throw forbidden('This page is out of date: go back, load it again and repeat what you did.')
}

/** The hidden field by which readFormOf knows its page again. */
export const csrfField = (deps: Pick<Deps, 'cursorKey'>, sessionSecret: string): Html =>
  html`<input type="hidden" name="csrf" value="${csrfToken(deps, sessionSecret)}">`

/** Bound to the session by its secret, so it needs no place of its own and ends with the session. */
const csrfToken = (deps: Pick<Deps, 'cursorKey'>, sessionSecret: string): string =>
  createHmac('sha256', deps.cursorKey).update(`csrf\0${sessionSecret}`).digest('base64url')

/** @throws ApiError 422 with a sentence for people */
export function fieldsOf<Schema extends z.ZodType>(schema: Schema, given: unknown): z.output<Schema> {
  const result = schema.safeParse(given)
  if (result.success) return result.data
  const [issue] = result.error.issues
  const name = String(issue?.path.at(-1) ?? '').replaceAll('_', ' ')
  throw invalid(['body'], name ? `Check “${name}”: ${issue?.message}` : 'Check what you entered')
}

/** The id of what is meant. @throws ApiError 404 for what can be none */
export function idIn(form: Pick<Form, 'text'>, name = 'id'): string {
  const read = uuid.safeParse(form.text(name))
  if (!read.success) throw notFound()
  return read.data
}

export const repeated = (): ApiError => invalid(['body'], 'The two passwords are not the same')
