// A script that comes later may not come at once: the connection is lost for a moment, or the service starts anew.

const PAUSES_MS = [500, 2000, 5000]

/** A pause; while the browser knows of no connection, until there is one. */
function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    if (globalThis.navigator?.onLine === false) addEventListener('online', () => resolve(), { once: true })
    else setTimeout(resolve, ms)
  })
}

/** Loads it again where that fails, three times. @throws the last error */
export async function patiently<T>(load: () => Promise<T>): Promise<T> {
  for (const ms of PAUSES_MS)
    try {
      return await load()
    } catch {
      await pause(ms)
    }
  return load()
}

/** The scripts of this page are no longer there, as after an upgrade, or did not come. */
export const isNotLoaded = (error: unknown): boolean =>
  error instanceof TypeError && /dynamically imported module|module script/i.test(error.message)
