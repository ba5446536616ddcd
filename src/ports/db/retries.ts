// What is run again, since it has done nothing.

import { isRepeatable } from './db-errors.ts'
import { isForgotten } from './prepared.sql.ts'
import type { ServerCapabilities } from './statements.ts'

const ATTEMPTS = 4

/** Runs `work` again without names if a name was forgotten: the statement that failed has done nothing. */
export async function retryWithoutNames<T>(
  capabilities: ServerCapabilities,
  work: () => Promise<T>,
): Promise<T> {
  const { remembersNames } = capabilities
  try {
    return await work()
  } catch (error) {
    if (!remembersNames || !isForgotten(error)) throw error
    capabilities.remembersNames = false
    return await work()
  }
}

/** Runs again what has done nothing: PostgreSQL refused it for what others did meanwhile. */
export async function withRetries<T>(capabilities: ServerCapabilities, work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await retryWithoutNames(capabilities, work)
    } catch (error) {
      if (attempt >= ATTEMPTS || !isRepeatable(error)) throw error
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * 2 ** attempt))
    }
  }
}
