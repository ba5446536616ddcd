// The language of the console: that of the account, which this browser stores, else the first of the browser's languages that
// there is.

import { bestLocale, type Language } from '../../../src/messages/messages.ts'

const KEY = 'kenning.language'

// Tests of modules that format dates run without a browser, and beside libraries that put a `navigator` without languages there.
const storedLanguage = (): string | null =>
  typeof localStorage === 'undefined' ? null : localStorage.getItem(KEY)
const { languages: browserLocales = [] } = (globalThis.navigator ?? {}) as Partial<
  Pick<Navigator, 'languages'>
>

// A browser in Austrian German keeps its way to write dates when German is chosen.
const preferredLocale = (chosenLanguage: string | null) =>
  bestLocale(
    chosenLanguage
      ? [...browserLocales.filter((locale) => locale.split('-')[0] === chosenLanguage), chosenLanguage]
      : browserLocales,
  )

const initial = preferredLocale(storedLanguage())
export const language: Language = initial.language
/** BCP 47, for `Intl`. */
export const locale: string = initial.locale

/** Stores the language in this browser. Null: the browser's. Returns whether the page has to be loaded again to be in it. */
export function storeLanguage(next: Language | null): boolean {
  if (next === null) localStorage.removeItem(KEY)
  else localStorage.setItem(KEY, next)
  return preferredLocale(next).language !== language
}

let isAdopted = false

/**
 * The account's language wins over the one that this browser has stored. It is adopted once for each page that is loaded: a change
 * on another device must not load the page again while a person writes. Returns as `storeLanguage`.
 */
export function adoptLanguage(ofAccount: Language | null): boolean {
  if (isAdopted) return false
  isAdopted = true
  return ofAccount !== storedLanguage() && storeLanguage(ofAccount)
}
