// Classifies failures of the database.

const DEADLOCK = '40P01'
const LOCK_NOT_AVAILABLE = '55P03'
const RETRYABLE_CODES = new Set(['40001', DEADLOCK]) // serialization failure
// An error of Citus that has no code of its own: the connection of a session to a node has ended, for example because the node was
// restarted. The next statement opens a new connection.
const LOST_WITH_NODE = /^failure on connection marked as essential/

// connection refused or closed, no socket of the embedded engine, a host name that cannot be resolved, a timeout
const SYSTEM_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])

const NETWORK_CALLS = new Set(['connect', 'read', 'write', 'getaddrinfo']) // not `open`: that is a missing file

// class 08, admin or crash shutdown, starting up, too many connections, transaction idle for too long
const UNAVAILABLE_STATES = /^(08...|57P0[1235]|53300|25P03)$/

const UNAVAILABLE_MESSAGES =
  /^(connection terminated|timeout exceeded when trying to connect|client has encountered a connection error|query read timeout|cannot use a pool after)/i

/** True when the disk of the database (53100) or of the files is full. */
export const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && ['53100', 'ENOSPC', 'EDQUOT'].includes(String((error as { code?: unknown }).code))

/**
 * True when the coordinator of a Citus answers but cannot reach the node that has the rows. If the client's own connection to the
 * coordinator fails, the error is a different one.
 */
export function isNodeAway(error: unknown): boolean {
  const { code, severity, message } = Object(error) as {
    code?: unknown
    severity?: unknown
    message?: unknown
  }
  return severity === 'ERROR' && (/^080(?!P01)/.test(String(code)) || LOST_WITH_NODE.test(String(message)))
}

/** True when the server ended a statement that took too long, or waited too long for a lock. */
export const isTimedOut = (error: unknown): boolean =>
  error instanceof Error && (error as { code?: unknown }).code === '57014'

/**
 * True when the pool gave up waiting for a connection. The database cannot be reached, or the machine's processors are overloaded.
 */
export const isConnectTimeout = (error: unknown): boolean =>
  error instanceof Error &&
  /^(timeout exceeded when trying to connect|connection terminated due to connection timeout)/i.test(
    error.message,
  )

/** True when a foreign key refers to a row that does not exist. */
export const isReferenceToNothing = (error: unknown): boolean =>
  error instanceof Error && (error as { code?: unknown }).code === '23503'

/** True when a statement failed because the database is unreachable, starting, stopping, or out of disk or connections. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (isDiskFull(error) || LOST_WITH_NODE.test(error.message)) return true
  if (error instanceof AggregateError && error.errors.length > 0) return error.errors.every(isUnavailable)
  const { code, syscall } = error as { code?: unknown; syscall?: unknown }
  if (typeof code === 'string') {
    if (SYSTEM_CODES.has(code)) return NETWORK_CALLS.has(String(syscall))
    if (UNAVAILABLE_STATES.test(code)) return true
  }
  return UNAVAILABLE_MESSAGES.test(error.message)
}

/** True if PostgreSQL refused a statement or transaction because of concurrent ones. The refused one has changed nothing. */
export function isRepeatable(error: unknown): boolean {
  const { code = '', message = '' } = error as { code?: string; message?: string }
  return RETRYABLE_CODES.has(code) || LOST_WITH_NODE.test(message)
}

/** True when another transaction has a lock. Waiting for the lock took too long, or would never have ended (deadlock). */
export const isLockRefused = (error: unknown): boolean =>
  [LOCK_NOT_AVAILABLE, DEADLOCK].includes(String((error as { code?: unknown }).code))
