// The language of the console: the person's choice on this browser, else the first of the browser's languages that there is.

import { bestLocale, type Language } from '../../../src/messages/messages.ts'

const KEY = 'kenning.language'

// Tests of modules that format dates run without a browser.
const storedLanguage = typeof localStorage === 'undefined' ? null : localStorage.getItem(KEY)
const browserLocales = typeof navigator === 'undefined' ? [] : navigator.languages

// A browser in Austrian German keeps its way to write dates when German is chosen.
const preferredLocale = bestLocale(
  storedLanguage
    ? [...browserLocales.filter((locale) => locale.split('-')[0] === storedLanguage), storedLanguage]
    : browserLocales,
)

export const language: Language = preferredLocale.language
/** BCP 47, for `Intl`. */
export const locale: string = preferredLocale.locale

export function chooseLanguage(next: Language): void {
  localStorage.setItem(KEY, next)
  location.reload()
}
