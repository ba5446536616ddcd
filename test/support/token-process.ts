// A process beside the test's own that redeems codes and refresh tokens on the same database, many at once.
// Arguments: connection, cursor key. A message holds the parameters and how often to send them; the answer, what came.

import { OAuthError } from '../../src/oauth/error.ts'
import { readParameters } from '../../src/oauth/parameters.ts'
import { issueTokens } from '../../src/oauth/tokens.ts'
import { openDb } from '../../src/ports/db/postgres.ts'
import type { Settings } from '../../src/ports/deps.ts'

export interface Ask {
  fields: Record<string, string>
  times: number
}
/** The refresh token, or the error's code. */
export type Got = { refreshToken: string } | { error: string }

const [connection = '', key = '', settings = ''] = process.argv.slice(2)
const deps = {
  db: openDb(JSON.parse(connection)),
  cursorKey: Buffer.from(key, 'base64url'),
  settings: JSON.parse(settings) as Settings,
}

const ask = async (fields: Record<string, string>): Promise<Got> => {
  try {
    const answer = await issueTokens(deps, readParameters(new URLSearchParams(fields)))
    return { refreshToken: answer.refresh_token }
  } catch (error) {
    return { error: error instanceof OAuthError ? error.code : String(error) }
  }
}

process.on('message', async ({ fields, times }: Ask) => {
  process.send?.(await Promise.all(Array.from({ length: times }, () => ask(fields))))
})
process.on('disconnect', () => deps.db.close())
process.send?.('ready')
