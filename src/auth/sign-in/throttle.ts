// Slows down guessing: failed sign-ins are counted per account and per network address (auth.md, POST /session).
// Each attempt is written down as failed before its password is checked, so that parallel ones cannot slip through.

import { isIPv6 } from 'node:net'
import { ApiError } from '../../errors.ts'
import type { Deps } from '../../ports/deps.ts'
import {
  deleteFailures,
  deleteOldFailures,
  insertFailures,
  lockSubjects,
  selectFailures,
} from './throttle.sql.ts'

const WINDOW_SECONDS = 15 * 60
const FAILURES_PER_ACCOUNT = 10
// Larger: a whole office may come from one address, and behind a proxy everyone does.
const FAILURES_PER_ADDRESS = 100
// Each keeps a core busy as a sign-in does: of 300 at once from one place 181 were turned away, and with them people who
// signed in.
const SIGN_UPS_PER_ADDRESS = 100

export interface Attempt {
  account: string
  address: string
  at: string
}

/** Counts this attempt. @throws ApiError 429 with the seconds after which the next one is let through */
export async function beginAttempt(
  deps: Pick<Deps, 'db'>,
  emailKey: string,
  remoteAddress: string,
): Promise<Attempt> {
  const account = `account:${emailKey}`
  const address = `address:${network(remoteAddress)}`
  const limits: Limits = [
    [account, FAILURES_PER_ACCOUNT],
    [address, FAILURES_PER_ADDRESS],
  ]
  return { account, address, at: await count(deps, limits, 'failed sign-ins') }
}

/** Counts an account that a stranger makes, in their network. @throws ApiError 429 */
export async function countSignUp(deps: Pick<Deps, 'db'>, remoteAddress: string): Promise<void> {
  const limits: Limits = [[`sign-up:${network(remoteAddress)}`, SIGN_UPS_PER_ADDRESS]]
  await count(deps, limits, 'new accounts from your network')
}

type Limits = [subject: string, most: number][]

/** One more for each subject; when that was. @throws ApiError 429 when one of them has had its most */
const count = ({ db }: Pick<Deps, 'db'>, limits: Limits, what: string): Promise<string> =>
  db.tx(async (tx) => {
    const subjects = limits.map(([subject]) => subject)
    await lockSubjects(tx, subjects)
    for (const [subject, most] of limits) {
      const { count, free_in } = await selectFailures(tx, subject, most, WINDOW_SECONDS)
      if (count >= most) throw tooMany(what, Math.max(1, free_in))
    }
    await deleteOldFailures(tx, WINDOW_SECONDS, subjects)
    return insertFailures(tx, subjects)
  })

/** The password was right: the account starts afresh, the address loses this one. */
export const forgiveAttempt = (deps: Pick<Deps, 'db'>, attempt: Attempt): Promise<void> =>
  deleteFailures(deps.db, attempt.account, attempt.address, attempt.at)

const tooMany = (what: string, seconds: number): ApiError =>
  new ApiError(429, 'rate_limited', `Too many ${what}. Try again in ${seconds} seconds.`, {
    retryAfter: seconds,
  })

/** Whoever has one IPv6 address has its /64: count the network. */
export function network(address: string): string {
  if (!isIPv6(address)) return address
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)
  if (mapped?.[1]) return mapped[1]
  const [head = '', tail = ''] = (address.split('%')[0] ?? '').split('::')
  const left = head.split(':').filter(Boolean)
  const right = tail.split(':').filter(Boolean)
  const zeros = Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0')
  const groups = [...left, ...zeros, ...right].slice(0, 4)
  return groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')
}
