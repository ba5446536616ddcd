// Loads scripts that may not arrive at once, because the connection is lost for a moment or the service restarts.

const PAUSES_MS = [500, 2000, 5000]

/** A pause. While the browser has no connection, it lasts until there is one. */
function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    if (globalThis.navigator?.onLine === false) addEventListener('online', () => resolve(), { once: true })
    else setTimeout(resolve, ms)
  })
}

/** Repeats a failed load three times. @throws the last error */
export async function patiently<T>(load: () => Promise<T>): Promise<T> {
  for (const ms of PAUSES_MS)
    try {
      return await load()
    } catch {
      await pause(ms)
    }
  return load()
}

/** The scripts of this page no longer exist, as after an upgrade, or did not arrive. */
export const isNotLoaded = (error: unknown): boolean =>
  error instanceof TypeError && /dynamically imported module|module script/i.test(error.message)
