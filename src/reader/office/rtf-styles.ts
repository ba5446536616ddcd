// What the styles of RTF mean. officeparser takes the styles numbered 1 to 9 for headings, as Word has them; other writers
// number as they please. The numbers are made what they would be in Word.

import { groupEnd } from './rtf-notes.ts'

interface RtfStyle {
  name: string
  outline?: number
  base?: number
}

const USE = /\\\\|\\(s|outlinelevel)(\d{1,5})(?!\d) ?/g
const MOST_ANCESTORS = 20
// A style that is none of Word's headings.
const PLAIN = 99

/** The RTF with each paragraph's style as the level of a heading or as none. */
export function withHeadings(rtf: string): string {
  const open = rtf.search(/\{\\stylesheet(?![a-z])/)
  const end = open === -1 ? undefined : groupEnd(rtf, open)
  if (end === undefined) return rtf
  const styles = readStyles(rtf.slice(open, end))
  const body = rtf.slice(end).replace(USE, (all, word?: string, number?: string) => {
    if (word === undefined) return all
    const given = Number(number)
    // A paragraph's own level.
    if (word === 'outlinelevel') return given < 9 ? `\\s${given + 1} ` : all
    return styles.has(given) ? `\\s${levelOf(styles, given) || PLAIN} ` : all
  })
  return rtf.slice(0, open) + body
}

function readStyles(sheet: string): Map<number, RtfStyle> {
  const styles = new Map<number, RtfStyle>()
  for (const [, number, rest = ''] of sheet.matchAll(/\{\\s(\d{1,5})(?!\d)((?:[^{}]|\{[^{}]*\})*)\}/g)) {
    const words = rest.replace(/\{[^{}]*\}/g, '')
    const numberOf = (word: string): number | undefined => {
      const found = new RegExp(String.raw`\\${word}(\d+)`).exec(words)?.[1]
      return found === undefined ? undefined : Number(found)
    }
    const [outline, base] = [numberOf('outlinelevel'), numberOf('sbasedon')]
    styles.set(Number(number), {
      name: words
        .replace(/\\[a-z]+-?\d* ?/g, '')
        .replace(/[;\r\n]/g, '')
        .trim()
        .toLowerCase(),
      ...(outline === undefined ? {} : { outline }),
      ...(base === undefined ? {} : { base }),
    })
  }
  return styles
}

/** 1 to 9, 0 for none; as in .docx a style that states none has that of the style it is based on. */
function levelOf(styles: ReadonlyMap<number, RtfStyle>, number: number): number {
  let style = styles.get(number)
  for (let i = 0; style && i < MOST_ANCESTORS; i++) {
    const { name, outline, base } = style
    const numbered = /^heading ([1-9])$/.exec(name)?.[1]
    if (numbered !== undefined) return Number(numbered)
    if (name === 'title') return 1
    if (name === 'subtitle' || /^(?:toc|contents) /.test(name)) return 0
    if (outline !== undefined) return outline < 9 ? outline + 1 : 0
    style = base === undefined ? undefined : styles.get(base)
  }
  return 0
}
