// Limits password guessing (POST /session; docs/decisions/0016-accounts.md). Failed sign-ins are counted in three ways: for each
// account and network, for each account over all networks from which it has not signed in before, and for each network address.
// Each attempt is recorded as failed before its password is checked, so that concurrent attempts cannot exceed a limit.

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
// The limit for all unknown networks of an account together, against distributed guessing. The resulting 4,800 guesses a day do not
// find a password of 12 characters that is not on the list of common passwords.
const FAILURES_FROM_UNKNOWN_NETWORKS = 50
// This limit is higher, because a whole office may share one address, and behind a proxy all users have the same address.
const FAILURES_PER_ADDRESS = 100
// A sign-up hashes a password, as a sign-in does. Without a limit, many sign-ups from one address would fill the queue of hashes, and
// sign-ins would be rejected.
const SIGN_UPS_PER_ADDRESS = 100
// Codes have six digits only, so they are counted by the day as well. Three codes in a million are valid at a time, so 50 guesses a
// day succeed on one day in about 7,000.
const DAY_SECONDS = 24 * 3600
const CODES_PER_DAY = 50
const CODES_PER_DAY_FROM_UNKNOWN_NETWORKS = 20
// For all sessions of an account together.
const CODES_PER_DAY_IN_SESSIONS = 20
const NETWORKS_PER_ACCOUNT = 20
/** The days for which a network counts as known after the last sign-in from it. */
export const NETWORK_DAYS = 90

interface Attempt {
  /** The subject for which a correct password clears all failures. */
  ownSubject: string
  /** Subjects for which a correct password clears only this attempt. */
  otherSubjects: string[]
  attemptedAt: string
}

/**
 * Counts a sign-in. In a network from which the account has signed in before, failures in other networks do not count.
 * @throws ApiError 429 with the seconds to wait, in the same way for accounts that do not exist
 */
export async function beginSignIn(
  deps: Pick<Deps, 'db' | 'cursorKey'>,
  emailKey: string,
  remoteAddress: string,
): Promise<Attempt> {
  // Quoted, since anybody may enter any text as an email address, and it must not equal the subject of another attempt or of a
  // network.
  const account = `account:${JSON.stringify(emailKey)}`
  const accountSubject = `${account} from ${wideNetworkOf(remoteAddress)}`
  const address = `address:${networkOf(remoteAddress)}`
  const isKnown = await isKnownNetwork(
    deps.db,
    emailKey,
    networkHash(deps, emailKey, remoteAddress),
    NETWORK_DAYS,
  )
  const limits: Limits = [
    [accountSubject, FAILURES_PER_ACCOUNT],
    [address, FAILURES_PER_ADDRESS],
    ...(isKnown ? [] : [[account, FAILURES_FROM_UNKNOWN_NETWORKS] as Limits[number]]),
  ]
  return attemptOf(limits, await recordFailures(deps, limits, 'failed sign-ins'))
}

/**
 * Counts a code of the second step of a sign-in. Wrong codes are counted separately from wrong passwords, which a correct password
 * clears.
 * @throws ApiError 429 with the seconds to wait
 */
export async function beginSecondStep(
  deps: Pick<Deps, 'db' | 'cursorKey'>,
  emailKey: string,
  remoteAddress: string,
): Promise<Attempt> {
  const subject = `code:${JSON.stringify(emailKey)}`
  const fromNetwork = `${subject} from ${wideNetworkOf(remoteAddress)}`
  const isKnown = await isKnownNetwork(
    deps.db,
    emailKey,
    networkHash(deps, emailKey, remoteAddress),
    NETWORK_DAYS,
  )
  const limits: Limits = [
    [fromNetwork, FAILURES_PER_ACCOUNT],
    [`${fromNetwork} in a day`, CODES_PER_DAY, DAY_SECONDS],
    [`address:${networkOf(remoteAddress)}`, FAILURES_PER_ADDRESS],
    ...(isKnown ? [] : [[subject, CODES_PER_DAY_FROM_UNKNOWN_NETWORKS, DAY_SECONDS] as Limits[number]]),
  ]
  return attemptOf(limits, await recordFailures(deps, limits, 'wrong codes'))
}

/**
 * Counts a passkey of the second step of a sign-in. It cannot be guessed, so its failures are counted neither together with those
 * of codes nor by the day. So somebody who only knows the password cannot lock out the owner of a passkey.
 * @throws ApiError 429 with the seconds to wait
 */
export async function beginPasskeyStep(
  deps: Pick<Deps, 'db'>,
  emailKey: string,
  remoteAddress: string,
): Promise<Attempt> {
  const limits: Limits = [
    [`passkey:${JSON.stringify(emailKey)} from ${wideNetworkOf(remoteAddress)}`, FAILURES_PER_ACCOUNT],
    [`address:${networkOf(remoteAddress)}`, FAILURES_PER_ADDRESS],
  ]
  return attemptOf(limits, await recordFailures(deps, limits, 'wrong passkeys'))
}

const attemptOf = ([own, ...others]: Limits, attemptedAt: string): Attempt => ({
  ownSubject: own[0],
  otherSubjects: others.map(([subject]) => subject),
  attemptedAt,
})

/** Call this after a successful sign-in: from then on the network is known for the account. */
export const rememberNetwork = (
  deps: Pick<Deps, 'db' | 'cursorKey'>,
  account: { id: string; emailKey: string },
  remoteAddress: string,
): Promise<void> =>
  upsertNetwork(deps.db, account.id, networkHash(deps, account.emailKey, remoteAddress), NETWORKS_PER_ACCOUNT)

/** Identifies an account in a network, but reveals neither the account nor the network. */
const networkHash = (
  { cursorKey }: Pick<Deps, 'cursorKey'>,
  emailKey: string,
  remoteAddress: string,
): Buffer =>
  createHmac('sha256', cursorKey)
    .update(`sign-in network\0${emailKey}\0${wideNetworkOf(remoteAddress)}`)
    .digest()

/** Counts an attempt other than a sign-in. @throws ApiError 429 with the seconds to wait */
export async function beginAttempt(
  deps: Pick<Deps, 'db'>,
  key: string,
  remoteAddress: string,
): Promise<Attempt> {
  const accountSubject = `attempt:${key}`
  const address = `address:${networkOf(remoteAddress)}`
  const limits: Limits = [
    [accountSubject, FAILURES_PER_ACCOUNT],
    [address, FAILURES_PER_ADDRESS],
  ]
  return attemptOf(limits, await recordFailures(deps, limits, 'attempts'))
}

/**
 * Counts a code that a signed-in user enters. It is counted separately from sign-ins, so that a thief of the session cannot prevent
 * its owner from signing in.
 * @param key the id of the account, with a prefix for codes that are counted separately
 * @throws ApiError 429 with the seconds to wait
 */
export async function beginCodeAttempt(
  deps: Pick<Deps, 'db'>,
  key: string,
  remoteAddress: string,
): Promise<Attempt> {
  const subject = `attempt:code:${key}`
  const limits: Limits = [
    [subject, FAILURES_PER_ACCOUNT],
    [`${subject} in a day`, CODES_PER_DAY_IN_SESSIONS, DAY_SECONDS],
    [`address:${networkOf(remoteAddress)}`, FAILURES_PER_ADDRESS],
  ]
  return attemptOf(limits, await recordFailures(deps, limits, 'wrong codes'))
}

/** Counts an open sign-up for its network. @throws ApiError 429 */
export async function countSignUp(deps: Pick<Deps, 'db'>, remoteAddress: string): Promise<void> {
  const limits: Limits = [[`sign-up:${networkOf(remoteAddress)}`, SIGN_UPS_PER_ADDRESS]]
  await recordFailures(deps, limits, 'new accounts from your network')
}

type Limit = [subject: string, max: number, windowSeconds?: number]
/** The first one has the subject for which a correct password clears all failures. */
type Limits = [Limit, ...Limit[]]

/** Records a failure for each subject and returns its time. @throws ApiError 429 when a subject has reached its limit */
const recordFailures = ({ db }: Pick<Deps, 'db'>, limits: Limits, noun: string): Promise<string> =>
  db.tx(async (tx) => {
    const subjects = limits.map(([subject]) => subject)
    await lockSubjects(tx, subjects)
    let waitSeconds = 0
    for (const [subject, max, windowSeconds = WINDOW_SECONDS] of limits) {
      const { count, free_in } = await selectFailures(tx, subject, max, windowSeconds)
      if (count >= max) waitSeconds = Math.max(waitSeconds, free_in, 1)
    }
    if (waitSeconds > 0) throw rateLimited(noun, waitSeconds)
    await deleteOldFailures(
      tx,
      Math.max(...limits.map(([, , seconds = WINDOW_SECONDS]) => seconds)),
      subjects,
    )
    return insertFailures(tx, subjects)
  })

/** Call this when the password was correct. */
export const clearFailures = (
  deps: Pick<Deps, 'db'>,
  { ownSubject, otherSubjects, attemptedAt }: Attempt,
): Promise<void> => deleteFailures(deps.db, ownSubject, otherSubjects, attemptedAt)

const rateLimited = (noun: string, seconds: number): ApiError =>
  new ApiError(429, 'rate_limited', `Too many ${noun}. Try again in ${seconds} seconds.`, {
    retryAfter: seconds,
  })

/** The address for which attempts are counted. For IPv6 it is the /64 network, since one client usually has a whole /64. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address
  // An IPv4 address in IPv6 form, such as `::ffff:192.0.2.1`.
  const mappedAddress = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)
  if (mappedAddress?.[1]) return mappedAddress[1]
  const [firstPart = '', lastPart = ''] = (address.split('%')[0] ?? '').split('::')
  const firstGroups = firstPart.split(':').filter(Boolean)
  const lastGroups = lastPart.split(':').filter(Boolean)
  const zeros = Array.from({ length: Math.max(0, 8 - firstGroups.length - lastGroups.length) }, () => '0')
  const groups = [...firstGroups, ...zeros, ...lastGroups].slice(0, 4)
  return groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')
}

/** The network of an office or household: IPv4 /24, IPv6 /48. */
function wideNetworkOf(address: string): string {
  const narrowNetwork = networkOf(address)
  const separator = narrowNetwork.includes(':') ? ':' : '.'
  return narrowNetwork.split(separator).slice(0, 3).join(separator)
}
