// Slows down guessing: failed sign-ins are counted per account and network, per account from all networks that it is not
// known in, and per network address (POST /session; docs/decisions/0016-accounts.md).
// Each attempt is written down as failed before its password is checked, so that parallel ones cannot slip through.

import { createHmac } from 'node:crypto'
import { isIPv6 } from 'node:net'
import { ApiError } from '../errors.ts'
import type { Deps } from '../ports/deps.ts'
import {
  deleteFailures,
  deleteOldFailures,
  insertFailures,
  isKnownNetwork,
  lockSubjects,
  selectFailures,
  upsertNetwork,
} from './throttle.sql.ts'

const WINDOW_SECONDS = 15 * 60
const FAILURES_PER_ACCOUNT = 10
// From all networks that the account is not known in: what bounds guessing from many places at once. 4,800 a day are no
// way to a password of 12 characters that is not on the lists.
const FAILURES_FROM_STRANGERS = 50
// Larger: a whole office may come from one address, and behind a proxy everyone does.
const FAILURES_PER_ADDRESS = 100
// Each keeps a core busy as a sign-in does: of 300 at once from one place 181 were turned away, and with them people who
// signed in.
const SIGN_UPS_PER_ADDRESS = 100
const NETWORKS_PER_ACCOUNT = 20
/** So long is it remembered that somebody signed in from a network. */
export const NETWORK_DAYS = 90

export interface Attempt {
  /** Whose failures a right password forgives. */
  own: string
  /** Which lose this one. */
  others: string[]
  at: string
}

/**
 * Counts a sign-in. Whoever has signed in from this network before is limited by what comes from this network alone.
 * @throws ApiError 429 with the seconds after which the next one is let through, alike for accounts that do not exist
 */
export async function beginSignIn(
  deps: Pick<Deps, 'db' | 'cursorKey'>,
  emailKey: string,
  remoteAddress: string,
): Promise<Attempt> {
  const own = `account:${emailKey} from ${wideNetwork(remoteAddress)}`
  const address = `address:${network(remoteAddress)}`
  const isKnown = await isKnownNetwork(deps.db, emailKey, seal(deps, emailKey, remoteAddress), NETWORK_DAYS)
  const limits: Limits = [
    [own, FAILURES_PER_ACCOUNT],
    [address, FAILURES_PER_ADDRESS],
    ...(isKnown ? [] : [[`account:${emailKey}`, FAILURES_FROM_STRANGERS] as Limits[number]]),
  ]
  const at = await count(deps, limits, 'failed sign-ins')
  return { own, others: limits.slice(1).map(([subject]) => subject), at }
}

/** Somebody has signed in from this network. */
export const rememberNetwork = (
  deps: Pick<Deps, 'db' | 'cursorKey'>,
  account: { id: string; emailKey: string },
  remoteAddress: string,
): Promise<void> =>
  upsertNetwork(deps.db, account.id, seal(deps, account.emailKey, remoteAddress), NETWORKS_PER_ACCOUNT)

/** Stands for an account in a network; which ones, nobody can read from it. */
const seal = ({ cursorKey }: Pick<Deps, 'cursorKey'>, emailKey: string, remoteAddress: string): Buffer =>
  createHmac('sha256', cursorKey)
    .update(`sign-in network\0${emailKey}\0${wideNetwork(remoteAddress)}`)
    .digest()

/** Counts an attempt at something else than signing in. @throws ApiError 429 with the seconds to wait */
export async function beginAttempt(
  deps: Pick<Deps, 'db'>,
  key: string,
  remoteAddress: string,
): Promise<Attempt> {
  const own = `account:${key}`
  const address = `address:${network(remoteAddress)}`
  const limits: Limits = [
    [own, FAILURES_PER_ACCOUNT],
    [address, FAILURES_PER_ADDRESS],
  ]
  return { own, others: [address], at: await count(deps, limits, 'failed sign-ins') }
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
    let wait = 0
    for (const [subject, most] of limits) {
      const { count, free_in } = await selectFailures(tx, subject, most, WINDOW_SECONDS)
      if (count >= most) wait = Math.max(wait, free_in, 1)
    }
    if (wait > 0) throw tooMany(what, wait)
    await deleteOldFailures(tx, WINDOW_SECONDS, subjects)
    return insertFailures(tx, subjects)
  })

/** The password was right: its own count starts afresh, the others lose this one. */
export const forgiveAttempt = (deps: Pick<Deps, 'db'>, { own, others, at }: Attempt): Promise<void> =>
  deleteFailures(deps.db, own, others, at)

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

/** What one network or household has: an IPv4 /24, an IPv6 /48. */
export function wideNetwork(address: string): string {
  const narrow = network(address)
  const separator = narrow.includes(':') ? ':' : '.'
  return narrow.split(separator).slice(0, 3).join(separator)
}
