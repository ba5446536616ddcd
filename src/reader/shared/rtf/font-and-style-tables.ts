// The font and style tables at the beginning of an RTF file.

import iconv from 'iconv-lite'
import { headingLevel, type NamedStyle } from '../office/style-names.ts'

export interface RtfFont {
  name: string
  /** The number of its character set, if stated. */
  charset?: number
  codePage?: number
}

export interface RtfStyle extends NamedStyle {
  number?: number
  base?: number
}

const SYMBOL_CHARSET = 2
const WESTERN_CHARSET = 0
const MACINTOSH = 10_000
const UTF_8 = 65_001
/** Code pages by character set. */
const codePageByCharset: Readonly<Record<number, number>> = {
  77: MACINTOSH,
  78: 932,
  128: 932,
  129: 949,
  130: 949,
  134: 936,
  136: 950,
  161: 1253,
  162: 1254,
  163: 1258,
  177: 1255,
  178: 1256,
  186: 1257,
  204: 1251,
  222: 874,
  238: 1250,
  254: 437,
  255: 850,
}
const encodingByCodePage: Readonly<Record<number, string>> = {
  [MACINTOSH]: 'macroman',
  10001: 'cp932',
  10006: 'macgreek',
  10007: 'maccyrillic',
  10029: 'maccenteuro',
  10081: 'macturkish',
  [UTF_8]: 'utf-8',
}
const WINDOWS_1252 = 1252

/** The name of the encoding of text in a font, as iconv-lite calls it. */
export function fontEncoding(
  fonts: ReadonlyMap<number, RtfFont>,
  number: number,
  documentCodePage = WINDOWS_1252,
): string {
  const font = fonts.get(number)
  const codePage = font?.codePage ?? codePageByCharset[font?.charset ?? -1]
  // A font is Western if others are not. Programs that ignore character sets state the Western one for all fonts.
  const isWestern =
    font?.charset === WESTERN_CHARSET && [...fonts.values()].some(({ charset = 0 }) => charset > 2)
  const hasWesternBytes = isWestern || font?.charset === SYMBOL_CHARSET
  const page = codePage ?? (hasWesternBytes ? WINDOWS_1252 : documentCodePage)
  const name = encodingByCodePage[page] ?? `cp${page}`
  return iconv.encodingExists(name) ? name : `cp${WINDOWS_1252}`
}

const MAX_ANCESTORS = 20

/** The heading level of a style: 1 to 9, 0 for none. */
export function styleLevel(styles: ReadonlyMap<number, RtfStyle>, number: number): number {
  const chain: RtfStyle[] = []
  let style = styles.get(number)
  while (style !== undefined && chain.length < MAX_ANCESTORS) {
    chain.push(style)
    style = style.base === undefined ? undefined : styles.get(style.base)
  }
  return headingLevel(chain) ?? 0
}
