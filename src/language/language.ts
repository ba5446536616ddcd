// The languages whose words Kenning stems; anything else is `xx`: segmented and folded, never stemmed.

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
