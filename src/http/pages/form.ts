// Forms of the HTML pages: reading them, CSRF protection, and validating their fields.

import { createHmac, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { ApiError, forbidden, invalid, invalidField } from '../../errors.ts'
import { message } from '../../messages/texts.ts'
import type { Deps } from '../../ports/deps.ts'
import { requireSameOrigin } from '../account/session.ts'
import { readUrlencoded } from '../request/body.ts'
import { sendContinue } from '../request/expect-continue.ts'
import { type Html, html } from './html.ts'

const MAX_BYTES = 64 * 1024

/** The fields of a form. */
export interface Form {
  /** Undefined when absent. @throws ApiError 400 if the field is repeated */
  text(name: string): string | undefined
  /** All values of a field that may be repeated, such as checkboxes. */
  all(name: string): string[]
}

/**
 * Reads a form submitted from a page of this origin.
 * @throws ApiError 403 from another origin; 400, 408, 413 or 422 for a body that cannot be read as a form
 */
export async function readForm(deps: Pick<Deps, 'settings'>, request: FastifyRequest): Promise<Form> {
  requireSameOrigin(request, deps.settings.origin)
  sendContinue(request.raw)
  const fields = await readUrlencoded(request.raw, MAX_BYTES)
  return {
    all: (name) => fields.getAll(name),
    text: (name) => {
      const [value, repeatedValue] = fields.getAll(name)
      if (repeatedValue === undefined) return value
      throw new ApiError(400, 'invalid_request', `The form field ${name} is given more than once.`)
    },
  }
}

/** Like `readForm`, for a user who is signed in. @throws ApiError 403 also for a form of another session */
export async function readSessionForm(
  deps: Pick<Deps, 'settings' | 'cursorKey'>,
  request: FastifyRequest,
  sessionSecret: string,
): Promise<Form> {
  const form = await readForm(deps, request)
  const expectedToken = Buffer.from(csrfToken(deps, sessionSecret))
  const submittedToken = Buffer.from(form.text('csrf') ?? '')
  if (submittedToken.length === expectedToken.length && timingSafeEqual(submittedToken, expectedToken))
    return form
  throw forbidden(message('This page has expired. Go back, reload it and try again.'))
}

/** The hidden field that `readSessionForm` checks. */
export const csrfField = (deps: Pick<Deps, 'cursorKey'>, sessionSecret: string): Html =>
  html`<input type="hidden" name="csrf" value="${csrfToken(deps, sessionSecret)}">`

/** Derived from the session's secret: nothing is stored, and it expires with the session. */
const csrfToken = (deps: Pick<Deps, 'cursorKey'>, sessionSecret: string): string =>
  createHmac('sha256', deps.cursorKey).update(`csrf\0${sessionSecret}`).digest('base64url')

/**
 * Validates the fields of a form with the schema of the JSON route for the same action. @throws ApiError 422 with a message for the
 * user
 */
export function fieldsOf<Schema extends z.ZodType>(schema: Schema, fields: unknown): z.output<Schema> {
  const result = schema.safeParse(fields)
  if (result.success) return result.data
  const [issue] = result.error.issues
  const name = String(issue?.path.at(-1) ?? '').replaceAll('_', ' ')
  if (name === '' || !issue) throw invalid(['body'], message('The form contains an invalid value'))
  throw invalidField({
    loc: ['body'],
    msg: `Check “${name}”: ${issue.message}`,
    type: 'value_error',
    ctx: { field: name, problem: issue.message },
  })
}

/** @throws ApiError 422 */
export function requireSamePassword(form: Form): void {
  if (form.text('password') !== form.text('repeated'))
    throw invalid(['body'], message('The two passwords do not match'))
}
