// A script of its own, which is there long before the console: it asks for the token meanwhile. On a slow network that
// saves one of the ways there and back that somebody waits for.

declare global {
  /** The answer, until the console takes it; undefined where the service could not be reached. */
  var kenningToken: Promise<Response | undefined> | undefined
}

globalThis.kenningToken = fetch('/session/token', { method: 'POST' }).catch(() => undefined)

export {}
