// Runs a failed statement or transaction again if it has changed nothing.

import { isRepeatable } from './db-errors.ts'
import { isForgotten } from './prepared.sql.ts'
import type { ServerCapabilities } from './statements.ts'

const MAX_ATTEMPTS = 4

/**
 * Runs `work` again without the names of prepared statements if the server did not know a name. The statement that failed has
 * changed nothing.
 */
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

/** Runs `work` again if PostgreSQL refused it because of concurrent transactions. The refused run changed nothing. */
export async function withRetries<T>(capabilities: ServerCapabilities, work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await retryWithoutNames(capabilities, work)
    } catch (error) {
      if (attempt >= MAX_ATTEMPTS || !isRepeatable(error)) throw error
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * 2 ** attempt))
    }
  }
}
