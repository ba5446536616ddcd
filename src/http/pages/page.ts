// What every page has: the document around it, the header fields that protect it, the style sheet, the page of an error.
// Pages are plain HTML: they work without script, in narrow windows and in the dark.

import type { FastifyInstance, FastifyReply } from 'fastify'
import { ApiError } from '../../errors.ts'
import { type Html, html, markupOf } from './html.ts'
import { STYLE, STYLE_URL } from './style.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Its errors are shown as a page, not as JSON. */
    page?: boolean
  }
}

/** Options of a route that people see: `app.get('/sign-in', asPage, …)`. */
export const asPage = { config: { page: true } } as const

export interface Page {
  title: string
  /** Below the title. */
  body: Html
  status?: number
  /** Who is signed in, shown at the top. */
  email?: string | undefined
  /** For tables. */
  wide?: boolean
  /** A step of a window that a program's page has opened and waits for: that page stays its opener. */
  keepsOpener?: boolean
  /** Browsers hold redirects of a form's answer against form-action: where the answer leads elsewhere, it is left out. */
  formLeadsAway?: boolean
}

export function sendPage(reply: FastifyReply, page: Page): FastifyReply {
  return reply
    .code(page.status ?? 200)
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy(page.formLeadsAway ?? false),
      'x-frame-options': 'DENY',
      'cross-origin-opener-policy': page.keepsOpener ? 'unsafe-none' : 'same-origin',
      // With no-referrer a browser sends "Origin: null" with forms, and the same-origin check could not tell.
      'referrer-policy': 'same-origin',
    })
    .send(markupOf(documentOf(page)))
}

const policy = (formLeadsAway: boolean): string =>
  [
    "default-src 'none'",
    "style-src 'self'",
    "base-uri 'none'",
    ...(formLeadsAway ? [] : ["form-action 'self'"]),
    "frame-ancestors 'none'",
  ].join('; ')

const documentOf = ({ title, body, email, wide }: Page): Html => html`<!doctype html>
<html lang="en"${wide ? html` class="wide"` : ''}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} · Kenning</title>
<link rel="stylesheet" href="${STYLE_URL}">
</head>
<body>
<header><span class="name">Kenning</span>${email !== undefined && html`<span class="who">${email}</span>`}</header>
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`

/** The page of an error: what went wrong and what to do, in one or two sentences. */
export const sendErrorPage = (reply: FastifyReply, status: number, message: string): FastifyReply =>
  sendPage(reply, {
    title: titleOf(status),
    status,
    body: html`<p>${message}</p>${(status === 403 || status === 404) && html`<p><a href="/settings">To your account</a></p>`}`,
  })

function titleOf(status: number): string {
  if (status === 404) return 'Not found'
  if (status === 403) return 'Not allowed'
  if (status === 429) return 'Too many attempts'
  return status >= 500 ? 'Something went wrong' : 'This did not work'
}

/** A message above a form, read out by screen readers when the page opens. */
export const problemNote = (message: string | undefined): Html | false =>
  message !== undefined && html`<p class="problem" role="alert">${message}</p>`

export function mountStyle(app: FastifyInstance): void {
  app.get('/pages.css', async (_request, reply) =>
    reply
      .headers({
        'content-type': 'text/css; charset=utf-8',
        'cache-control': 'public, max-age=31536000, immutable',
      })
      .send(STYLE),
  )
}

/** With the other fields it stays below the 16 KiB that clients read of a head. */
export const MOST_LOCATION = 14_000

/** 303: the browser goes there with GET, and takes no form along (RFC 9700 section 4.12). @throws ApiError 400 */
export function seeOther(reply: FastifyReply, address: string): FastifyReply {
  if (address.length <= MOST_LOCATION) return reply.code(303).header('location', address).send()
  throw new ApiError(
    400,
    'invalid_request',
    'The address to go on to is too long. Go back and open it with fewer parameters.',
  )
}
