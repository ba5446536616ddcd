// The texts of the service's own pages and mails. Their catalogues are small and loaded with the server.

import { de } from './de.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { ja } from './ja.ts'
import { type Catalogue, type Language, type Translator, translator } from './messages.ts'

export interface Texts {
  language: Language
  /** `t('Sign in with {company}', { company })`: the English text is a literal, which a test collects. */
  t: Translator['text']
  plural: Translator['plural']
}

export const CATALOGUES: Record<Exclude<Language, 'en'>, Catalogue> = { de, fr, es, ja }

function open(language: Language): Texts {
  const { text, plural } = translator(language === 'en' ? {} : CATALOGUES[language], language)
  return { language, t: text, plural }
}

const TEXTS: Record<Language, Texts> = {
  en: open('en'),
  de: open('de'),
  fr: open('fr'),
  es: open('es'),
  ja: open('ja'),
}

export const textsIn = (language: Language): Texts => TEXTS[language]

/** Marks a text for the catalogues that `t` translates where it is shown. */
export const message = (english: string): string => english
