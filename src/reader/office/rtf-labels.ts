// The numbers of RTF's lists as the file writes them out for old readers ("(a)", "§ 4"): officeparser counts every level
// 1, 2, 3. They are carried through its tree between signs of the private area.

import { groupEnd } from './rtf-notes.ts'

const GROUP = /\{(?:\\\*)?\\(?:listtext|pntext)(?![a-z])/g
const MARKED = /^\s*\uf8f4([^\uf8f5]*)\uf8f5\s*/u
// A longer one is no number.
const MOST_CHARACTERS = 40

/** The RTF with the labels of its lists as marked text. */
export function withLabels(rtf: string): string {
  const parts: string[] = []
  let from = 0
  for (const { 0: opening, index } of rtf.matchAll(GROUP)) {
    if (index < from) continue
    const end = groupEnd(rtf, index)
    if (end === undefined) break
    const label = labelOf(rtf.slice(index + opening.length, end - 1))
    parts.push(rtf.slice(from, index), `\\u-1804 ${label}\\u-1803 `)
    from = end
  }
  return parts.length === 0 ? rtf : parts.join('') + rtf.slice(from)
}

/** Its characters without fonts and tabs, still as RTF; none where no letter or figure stands in it (a bullet). */
function labelOf(group: string): string {
  const shown = group
    .replace(/\{\\\*[^{}]*\}|[{}\r\n]/g, '')
    .replace(/\\u-?\d+ ?\\'[\da-f]{2}/gi, (code) => code.replace(/ ?\\'..$/, ' '))
    .replace(/\\(?!u-?\d)[a-z]+-?\d* ?/g, '')
    .trim()
  const words = shown.replace(/\\u-?\d+ ?|\\'[\da-f]{2}/gi, '')
  return /[\p{L}\d]/u.test(words) && shown.length <= MOST_CHARACTERS ? shown : ''
}

/** A text's own label (empty for a bullet) and what stands behind it; undefined where it has none. */
export function labelled(text: string): { label: string; rest: string } | undefined {
  const found = MARKED.exec(text)
  return found === null ? undefined : { label: (found[1] ?? '').trim(), rest: text.slice(found[0].length) }
}
