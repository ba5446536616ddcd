// Texts of the interface in several languages. The English text itself is the key, as in gettext: code stays readable, and a
// language without a translation shows English. Values stand in braces: "Moved to {folder}". A text that depends on a count has a
// form for each plural category of the language (Unicode CLDR, by Intl.PluralRules).

export type PluralForms = { other: string } & Partial<Record<Intl.LDMLPluralRule, string>>
export type Translation = string | PluralForms
/** The translations of one language by their English text. */
export type Catalogue = Readonly<Record<string, Translation>>

export const LANGUAGES = ['en', 'de', 'fr', 'es', 'ja'] as const
export type Language = (typeof LANGUAGES)[number]

/** The names of the languages, each in itself, as a choice shows them. */
export const LANGUAGE_NAMES: Record<Language, string> = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  ja: '日本語',
}

/** The first of the accepted locales (BCP 47) whose language has a catalogue, as it was given; English if there is none. */
export function bestLocale(accepted: readonly string[]): { language: Language; locale: string } {
  // Some browsers on Linux report "en-US@posix", which is none of BCP 47 and makes `Intl` throw.
  for (const locale of accepted.filter(isTag)) {
    const language = LANGUAGES.find((code) => code === locale.toLowerCase().split('-')[0])
    if (language) return { language, locale }
  }
  return { language: 'en', locale: 'en' }
}

function isTag(locale: string): boolean {
  try {
    return Intl.getCanonicalLocales(locale).length > 0
  } catch {
    return false
  }
}

export const PLACEHOLDER = /\{(\w+)\}/g

/** Replaces each `{name}` by its value. A name without a value stays as it is, so that a fault is seen. */
export const fill = (text: string, values: Readonly<Record<string, string | number>> = {}): string =>
  text.replaceAll(PLACEHOLDER, (whole, name: string) => String(values[name] ?? whole))

/** The text of a plural with the place of its number, which comes first if the text does not say where it stands. */
export const withCount = (text: string): string => (text.includes('{count}') ? text : `{count} ${text}`)

/** Characters of Unicode's private use area. In the built console one of them, the number of a message, stands before its text. */
export const MARKERS = { first: 0xe000, count: 0x1900 }

/** The text and the plural form for a count, both with `{count}` in the language's digits. */
export interface Translator {
  text(english: string, values?: Readonly<Record<string, string | number>>): string
  /** The key in the catalogue is `many`, the English text for every count but one. */
  plural(count: number, one: string, many: string): string
}

export function translator(catalogue: Catalogue, locale: string): Translator {
  const rules = new Intl.PluralRules(locale)
  const englishRules = new Intl.PluralRules('en')
  const numbers = new Intl.NumberFormat(locale)
  // A text such as "constructor" is no message.
  const translationOf = (english: string) =>
    Object.hasOwn(catalogue, english) ? catalogue[english] : undefined
  const chosenForm = (count: number, one: string, many: string): string => {
    const translation = translationOf(many)
    if (translation === undefined) return englishRules.select(count) === 'one' ? one : many
    if (typeof translation === 'string') return translation
    return translation[rules.select(count)] ?? translation.other
  }
  return {
    text: (english, values) => {
      const translation = translationOf(english) ?? english
      return fill(typeof translation === 'string' ? translation : translation.other, values)
    },
    plural: (count, one, many) => fill(chosenForm(count, one, many), { count: numbers.format(count) }),
  }
}
