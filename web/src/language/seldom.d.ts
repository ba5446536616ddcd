/** In the build the part of a catalogue that only pages opened seldom need (messages-plugin.ts), elsewhere the whole. */
declare module '*.ts?seldom' {
  import type { Catalogue } from '../../../src/messages/messages.ts'
  export const de: Catalogue
  export const fr: Catalogue
  export const es: Catalogue
  export const ja: Catalogue
}
