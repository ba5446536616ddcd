// What RTF keeps and nobody sees: hidden text and deletions that are tracked. officeparser reads both as text.

import { groupEnd } from './rtf-notes.ts'

const HIDES = /\\(?:v|deleted)(?![a-z\d-])/
// Tables of fonts, styles and the like have no text of the document; a style may be hidden.
const ASIDE = /^\{\\(?:\*|(?:fonttbl|colortbl|stylesheet|listtable|info|pict)(?![a-z]))/
const TOKEN = /\\'[\da-fA-F]{2}|\\([a-z]+)(-?\d+)? ?|\\[\s\S]|[{}]|[\r\n]+|[^\\{}\r\n]+/g
const SHOWN_AS_TEXT = new Set(
  'u par line tab emdash endash bullet lquote rquote ldblquote rdblquote emspace enspace'.split(' '),
)

interface Marks {
  hidden: boolean
  deleted: boolean
}

/** The RTF without the text that is hidden or deleted; the ends of rows and cells stay. */
export function withoutHidden(rtf: string): string {
  if (!HIDES.test(rtf)) return rtf
  const out: string[] = []
  const open: Marks[] = []
  let marks: Marks = { hidden: false, deleted: false }
  let asideUntil = 0
  for (const found of rtf.matchAll(TOKEN)) {
    const [token, word, number] = found
    const isAside = found.index < asideUntil
    if (!isAside && token === '{' && ASIDE.test(rtf.slice(found.index, found.index + 20)))
      asideUntil = groupEnd(rtf, found.index) ?? rtf.length
    if (isAside || found.index < asideUntil) {
      out.push(token)
      continue
    }
    if (token === '{') open.push({ ...marks })
    else if (token === '}') marks = open.pop() ?? marks
    else marks = marked(marks, word, number)
    const isHidden = marks.hidden || marks.deleted
    if (!isHidden || token === '{' || token === '}' || !isText(token, word)) out.push(token)
  }
  return out.join('')
}

function marked(marks: Marks, word: string | undefined, number: string | undefined): Marks {
  if (word === 'plain') return { hidden: false, deleted: false }
  if (word === 'v') return { ...marks, hidden: number !== '0' }
  return word === 'deleted' ? { ...marks, deleted: number !== '0' } : marks
}

const isText = (token: string, word: string | undefined): boolean =>
  word === undefined ? token !== '\\*' && !/^[\r\n]/.test(token) : SHOWN_AS_TEXT.has(word)
