// Why a database cannot be used at start, as a sentence with the setting that is to be changed.

const sentences: Record<string, string> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'the host has no address',
  EAI_AGAIN: 'the host has no address now',
  ETIMEDOUT: 'there is no answer',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the host cannot be reached',
  ECONNRESET: 'the connection was cut; does the server want another sslmode?',
  '28P01': 'user or password is wrong',
  '28000': 'the server lets this user not in from here (pg_hba.conf)',
  '3D000': 'the database does not exist',
  '42501': 'this user may not make tables or extensions there',
  '57P03': 'the server is starting or stopping',
  '53300': 'the server has no connection left',
  '0A000': 'an extension is missing: install pgvector on the server',
  '58P01': 'an extension is missing: install pgvector on the server',
}

/** The error with a sentence that names DATABASE_URL (never its password), or the error itself when none fits. */
export function explainDatabase(error: unknown, url: string): unknown {
  const first = error instanceof AggregateError ? error.errors[0] : error
  const { code, message } = Object(first) as { code?: unknown; message?: unknown }
  const sentence =
    sentences[String(code)] ?? (/timeout exceeded/.test(String(message)) ? 'there is no answer' : undefined)
  return sentence === undefined
    ? error
    : new Error(`The database at ${placeOf(url)} cannot be used: ${sentence}. Check DATABASE_URL.`, {
        cause: error,
      })
}

function placeOf(url: string): string {
  if (!URL.canParse(url)) return 'the given address'
  const { hostname, port, pathname } = new URL(url)
  return `${hostname || 'the local socket'}${port && `:${port}`}${pathname}`
}
