/** In the build the part of a catalogue that only pages opened seldom need (messages-plugin.ts), elsewhere the whole. */
declare module '*.ts?seldom' {
  type Texts = Readonly<Record<string, string | { other: string }>>
  export const de: Texts
  export const fr: Texts
  export const es: Texts
  export const ja: Texts
}
