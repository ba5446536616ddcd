// The texts of the console in the chosen language. Only functions may call these, never a module while it is loaded: the
// catalogue is not there yet. A text of a table at the top of a module is marked by `message` and translated where it is shown.

import { Fragment, type ReactNode } from 'react'
import {
  type Catalogue,
  MARKERS,
  PLACEHOLDER,
  type Translator,
  translator,
  withCount,
} from '../../../src/messages/messages.ts'
import { language, locale } from './locale.ts'

const catalogues: Record<typeof language, () => Promise<Catalogue>> = {
  en: () => Promise.resolve({}),
  de: async () => (await import('./de.ts')).de,
  fr: async () => (await import('./fr.ts')).fr,
  es: async () => (await import('./es.ts')).es,
  ja: async () => (await import('./ja.ts')).ja,
}

/** The texts of pages that few people open. They are loaded with the first of these pages. */
const seldomCatalogues: typeof catalogues = {
  en: () => Promise.resolve({}),
  de: async () => (await import('./de.ts?seldom')).de,
  fr: async () => (await import('./fr.ts?seldom')).fr,
  es: async () => (await import('./es.ts?seldom')).es,
  ja: async () => (await import('./ja.ts?seldom')).ja,
}

let catalogue: Catalogue = {}
let current: Translator = translator(catalogue, locale)

export async function loadCatalogue(): Promise<void> {
  document.documentElement.lang = language
  add(await catalogues[language]())
}

let seldomTexts: Promise<void> | undefined

/** Loads the other texts, once. */
export function loadSeldomTexts(): Promise<void> {
  seldomTexts ??= seldomCatalogues[language]().then(add)
  return seldomTexts
}

function add(texts: Catalogue): void {
  catalogue = { ...catalogue, ...texts }
  current = translator(catalogue, locale)
}

/** A text without the marker that it has in the build (messages-plugin.ts). */
export function englishOf(text: string): string {
  const number = text.charCodeAt(0) - MARKERS.first
  return number >= 0 && number < MARKERS.count ? text.slice(1) : text
}

/** The key of a text. In the build it is the marker before the text, if the catalogue has it. */
function keyOf(text: string): string {
  const english = englishOf(text)
  const marker = text.slice(0, 1)
  return english !== text && Object.hasOwn(catalogue, marker) ? marker : english
}

export const t = (english: string, values?: Readonly<Record<string, string | number>>): string =>
  current.text(keyOf(english), values)

/** "1 document", "2 documents". The number stands for `{count}`; without it, the number and a blank come first. */
export const plural = (count: number, one: string, many = `${one}s`): string =>
  current.plural(count, withCount(one), keyOf(withCount(many)))

/** Marks a text for the catalogue where it is written. `t` translates it where it is shown. */
export const message = (english: string): string => english

/** A text with elements for its values: `rich('Sign in with {company} again', { company: <b>Acme</b> })`. */
export function rich(english: string, values: Readonly<Record<string, ReactNode>>): ReactNode {
  // Odd parts are the names of values.
  return t(english)
    .split(PLACEHOLDER)
    .map((part, index) => {
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never change their order
      return <Fragment key={index}>{index % 2 === 0 ? part : (values[part] ?? `{${part}}`)}</Fragment>
    })
}
