// A client: a program that asks to act for a user. All are public: none has a secret.

import { z } from 'zod'
import { mayRedirect } from './redirect.ts'

export interface Client {
  id: string
  /** What it calls itself: anybody may choose any name. */
  name: string
  redirectUris: readonly string[]
  /** Where its metadata document lies, proven by fetching it; undefined for one that registered itself. */
  host?: string
}

const MOST_REDIRECTS = 20
const MOST_NAME = 80

export const RedirectUris = z
  .array(z.string().refine(mayRedirect, 'must be https, http to this computer, or an application scheme'))
  .min(1)
  .max(MOST_REDIRECTS)

/**
 * Fit to be shown in one line between quotation marks: no control characters, none that turn the direction of what
 * follows, none that look like the end of the quotation.
 * @returns undefined when nothing is left
 */
export function shownName(name: string): string | undefined {
  const clean = name
    .normalize('NFC')
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '')
    .replace(/["“”„‟«»]/g, "'")
    .replace(/\s+/g, ' ')
    .trim()
  const short = [...clean].slice(0, MOST_NAME).join('')
  return short === '' ? undefined : short
}
