// Explains at start why the database cannot be used, and which setting to change.

import { MigrationFailed } from './migrations.ts'

const SENTENCES: Record<string, string> = {
  ECONNREFUSED: 'the connection was refused, so no server is running at this address',
  ENOTFOUND: 'the host name cannot be resolved',
  EAI_AGAIN: 'the host name cannot be resolved at the moment',
  ETIMEDOUT: 'it does not answer',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the host cannot be reached',
  ECONNRESET: 'the connection was closed; the server may require another sslmode',
  '28P01': 'the user name or the password is wrong',
  '28000': 'the server does not allow this user to connect from this host (pg_hba.conf)',
  '3D000': 'the database does not exist',
  '42501':
    'this user may not create tables or extensions in it; have an administrator run in it: CREATE EXTENSION IF NOT EXISTS ' +
    'vector; and give the user CREATE on its schema',
  '57P03': 'the server is starting up or shutting down',
  '53300': 'the server has too many connections',
  '0A000': 'an extension is missing: install pgvector on the server',
  '58P01': 'an extension is missing: install pgvector on the server',
}

/** An error that explains the failure without the password, or `error` itself if its cause is not known. */
export function explainDatabase(error: unknown, url: string): unknown {
  const innerError =
    error instanceof AggregateError ? error.errors[0] : lacksRight(error) ? error.cause : error
  const { code, message } = Object(innerError) as { code?: unknown; message?: unknown }
  const sentence =
    SENTENCES[String(code)] ?? (/timeout exceeded/.test(String(message)) ? 'it does not answer' : undefined)
  return sentence === undefined
    ? error
    : new Error(`The database at ${placeOf(url)} cannot be used: ${sentence}. Check DATABASE_URL.`, {
        cause: error,
      })
}

/** Whether a migration failed because a right is missing. Its message names the right, but not who can grant it. */
const lacksRight = (error: unknown): error is Error =>
  error instanceof MigrationFailed && (Object(error.cause) as { code?: unknown }).code === '42501'

/** Where a database is, without its user and password. */
export function placeOf(url: string): string {
  if (!URL.canParse(url)) return 'the given address'
  const { hostname, port, pathname } = new URL(url)
  return `${hostname || 'the local socket'}${port && `:${port}`}${pathname}`
}
