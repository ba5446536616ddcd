// The languages that Kenning stems; text in any other language is `xx`, which is segmented and folded but not stemmed.

export const LANGUAGES = [
  'en',
  'de',
  'fr',
  'es',
  'it',
  'pt',
  'nl',
  'sv',
  'da',
  'no',
  'fi',
  'ru',
  'xx',
] as const
export type Language = (typeof LANGUAGES)[number]
