// HTML pages: the document around the content, security headers, redirects, error pages. The pages work without JavaScript
// (one has a script, which asks for a passkey), on narrow screens and in dark mode.

import type { FastifyInstance, FastifyReply } from 'fastify'
import { ApiError } from '../../errors.ts'
import type { Language } from '../../messages/messages.ts'
import { message, type Texts, textsIn } from '../../messages/texts.ts'
import { type Html, html, markupOf } from './html.ts'
import { STYLE, STYLE_URL } from './style.ts'
import { errorText, languageOf, type PageError } from './texts.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Errors of this route are sent as an HTML page, not as JSON. */
    page?: boolean
  }
}

/** Route options of pages: `app.get('/sign-in', asPage, …)`. */
export const asPage = { config: { page: true } } as const

export interface Page {
  title: string
  /** The content below the title. */
  body: Html
  status?: number
  /** By default the language of the request. */
  language?: Language
  /** The user who is signed in, shown at the top. */
  email?: string | undefined
  /** The page is text rather than a form, so it is as wide as is comfortable to read. */
  isWide?: boolean
  /** Part of a flow in a popup window: the page that opened it keeps its reference (Cross-Origin-Opener-Policy). */
  keepsOpener?: boolean
  /** The address of the only script of the page, from this origin. */
  script?: string
  /** The form's response redirects to another origin. Browsers apply form-action to redirects too, so it is omitted. */
  formRedirectsAway?: boolean
}

export function sendPage(reply: FastifyReply, page: Page): FastifyReply {
  const language = page.language ?? languageOf(reply.request)
  return reply
    .code(page.status ?? 200)
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-language': language,
      vary: 'accept-language',
      'content-security-policy': contentSecurityPolicy(page),
      'x-frame-options': 'DENY',
      'cross-origin-opener-policy': page.keepsOpener ? 'unsafe-none' : 'same-origin',
      // With no-referrer browsers submit forms with "Origin: null", which the same-origin check would reject.
      'referrer-policy': 'same-origin',
    })
    .send(markupOf(renderDocument(page, language)))
}

const contentSecurityPolicy = ({ formRedirectsAway, script }: Page): string =>
  [
    "default-src 'none'",
    "style-src 'self'",
    ...(script === undefined ? [] : ["script-src 'self'"]),
    "base-uri 'none'",
    ...(formRedirectsAway ? [] : ["form-action 'self'"]),
    "frame-ancestors 'none'",
  ].join('; ')

/** As web/public/favicon.svg. The style sheet has its colours. */
const MARK = html`<svg class="mark" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="7"/><path d="M10 7v18M22 7 12 16l10 9"/></svg>`

const renderDocument = (
  { title, body, email, isWide, script }: Page,
  language: Language,
): Html => html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} · Kenning</title>
<link rel="stylesheet" href="${STYLE_URL}">${
  script !== undefined &&
  html`
<script type="module" src="${script}"></script>`
}
</head>
<body${isWide && html` class="wide"`}>
<header><span class="name">${MARK}Kenning</span>${email !== undefined && html`<span class="who">${email}</span>`}</header>
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`

/** The message of the error says in one or two sentences what went wrong and what to do. */
export function sendErrorPage(reply: FastifyReply, error: PageError): FastifyReply {
  const texts = textsIn(languageOf(reply.request))
  const { t } = texts
  const { status } = error
  return sendPage(reply, {
    title: t(titleOf(status)),
    status,
    body: html`<p>${errorText(texts, error)}</p>${(status === 403 || status === 404) && html`<p><a href="/">${t('Go to your workspaces')}</a></p>`}`,
  })
}

function titleOf(status: number): string {
  if (status === 404) return message('Not found')
  if (status === 403) return message('Not allowed')
  if (status === 429) return message('Too many attempts')
  return status >= 500 ? message('Something went wrong') : message('Request rejected')
}

/** An error message above a form, announced by screen readers when the page opens. */
export const errorNote = (texts: Texts, error: PageError | undefined): Html | false =>
  error !== undefined && html`<p class="problem" role="alert">${errorText(texts, error)}</p>`

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

/** Characters of a Location header. HTTP clients accept 16 KiB of headers, and the other headers need some of that. */
export const MAX_LOCATION_CHARACTERS = 14_000

/** Redirects with 303, so that the browser does not submit the form again (RFC 9700 section 4.12). @throws ApiError 400 */
export function seeOther(reply: FastifyReply, url: string): FastifyReply {
  if (url.length <= MAX_LOCATION_CHARACTERS) return reply.code(303).header('location', url).send()
  throw new ApiError(
    400,
    'invalid_request',
    message('The URL to redirect to is too long. Go back and use fewer parameters.'),
  )
}
