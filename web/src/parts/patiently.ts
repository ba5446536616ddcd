// Loads scripts again if that fails, because the connection may be lost for a moment or the service may restart.

const PAUSES_MS = [500, 2000, 5000]
const LONGEST_PAUSE_MS = 15_000

/** Waits for `ms`, or until there is a connection if the browser has none. */
function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    if (globalThis.navigator?.onLine === false) addEventListener('online', () => resolve(), { once: true })
    else setTimeout(resolve, ms)
  })
}

/** Calls `load` up to four times. @throws the last error */
export async function loadWithRetries<T>(load: () => Promise<T>): Promise<T> {
  for (const ms of PAUSES_MS)
    try {
      return await load()
    } catch {
      await pause(ms)
    }
  return load()
}

/** Calls `load` until it succeeds. Undefined: nobody waits for it any more. */
export async function loadPatiently<T>(load: () => Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  for (let failures = 0; !signal.aborted; failures++)
    try {
      return await load()
    } catch {
      await pause(PAUSES_MS[failures] ?? LONGEST_PAUSE_MS)
    }
  return undefined
}

/** Whether an error says that a script of the page could not be loaded, for example because an upgrade has replaced it. */
export const isNotLoaded = (error: unknown): boolean =>
  error instanceof TypeError && /dynamically imported module|module script/i.test(error.message)
