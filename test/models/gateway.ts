// A gateway that answers pages: a sign-in, an error, a wrong address.

import type { ScriptedReply } from '../support/chat-server.ts'

const page = (status: number, title: string): ScriptedReply => ({
  status,
  headers: { 'content-type': 'text/html' },
  body: `<!DOCTYPE html><html><head><title>${title}</title></head><body>${title}</body></html>`,
})

export const PAGES: [string, ScriptedReply][] = [
  ['a sign-in', page(200, 'Sign in')],
  ['a wrong address', page(404, 'Not Found')],
  ['a denial', page(403, 'Forbidden')],
  ['an error', page(502, 'Bad Gateway')],
]
