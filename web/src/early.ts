// A separate script that is loaded long before the console. It requests the token and then the first data of the page. On a slow
// network a person waits two round trips less.

declare global {
  /** The answer with the token, until the console reads it. Undefined if the service could not be reached. */
  var kenningToken: Promise<Response | undefined> | undefined
  /** The console's first request, with its address. */
  var kenningFirst: { path: string; answer: Promise<Response | undefined> } | undefined
}

// As site.ts, which must not be imported: it is a part of the console's own file.
const site = new URL('..', String(import.meta.url)).pathname.replace(/\/$/, '')

const token = fetch(`${site}/session/token`, { method: 'POST' }).catch(() => undefined)

async function firstRequest(path: string): Promise<Response | undefined> {
  const answer = (await token)?.clone()
  if (!answer?.ok) return undefined
  const { access_token } = (await answer.json()) as { access_token: string }
  return fetch(path, { headers: { authorization: `Bearer ${access_token}` } })
}

const workspace = /^\/w\/([\da-f-]{36})/.exec(location.pathname.slice(site.length))?.[1]
const path = workspace ? `${site}/v1/workspaces/${workspace}` : `${site}/v1/workspaces?limit=200`
globalThis.kenningFirst = { path, answer: firstRequest(path).catch(() => undefined) }
globalThis.kenningToken = token

export {}
