// Footnotes of RTF, taken out before the text is read and put back behind the block that refers to them: officeparser lets
// a note's paragraph end the table it stands in, and takes the row's cells for the note's text.

import type { Block } from '../block.ts'

// Signs of the private area say where a note was referred to, and in the end where each begins.
const BEGIN = '\uf8f0'
const END = '\uf8f1'
const REFERENCE = new RegExp(`${BEGIN}(\\d+)${END}`, 'gu')
const marked = (no: number): string => `\\u-1808 ${no}\\u-1807 `
const NOTE = /\{(?:\\\*)?\\footnote(?![a-z])/g

/** The RTF with its notes as paragraphs at the end. */
export function notesLast(rtf: string): string {
  const body: string[] = []
  const notes: string[] = []
  let from = 0
  for (const { 0: opening, index } of rtf.matchAll(NOTE)) {
    if (index < from) continue
    const end = groupEnd(rtf, index)
    if (end === undefined) break
    notes.push(rtf.slice(index + opening.length, end - 1))
    body.push(rtf.slice(from, index), marked(notes.length))
    from = end
  }
  if (notes.length === 0) return rtf
  body.push(rtf.slice(from))
  const text = body.join('')
  const last = text.lastIndexOf('}')
  const tail = notes.map((note, i) => `\\par\\pard\\plain ${marked(i + 1)}\\par\\pard\\plain ${note}`)
  return `${text.slice(0, last)}${tail.join('')}\\par${text.slice(last)}`
}

/** Behind the brace that closes the group which opens here; undefined where none does. */
function groupEnd(rtf: string, open: number): number | undefined {
  const brace = /\\[\s\S]|[{}]/g
  brace.lastIndex = open
  let depth = 0
  for (let found = brace.exec(rtf); found; found = brace.exec(rtf)) {
    if (found[0] === '{') depth++
    else if (found[0] === '}' && --depth === 0) return brace.lastIndex
  }
  return undefined
}

/** The blocks of such a text with each note behind the first block that refers to it. */
export function notesPlaced(blocks: readonly Block[]): Block[] {
  const first = blocks.findIndex(({ text }) => noteBegun(text) !== undefined)
  if (first === -1) return [...blocks]
  const notes = new Map<number, string>()
  let no = 0
  for (const { text } of blocks.slice(first)) {
    const begun = noteBegun(text)
    if (begun === undefined) notes.set(no, `${notes.get(no) ?? ''}\n${text.trim()}`)
    else no = begun
  }
  return blocks.slice(0, first).flatMap((block) => {
    const referred = [...block.text.matchAll(REFERENCE)].map(([, digits]) => Number(digits))
    return [withReferences(block), ...referred.flatMap((number) => noteBlock(number, notes))]
  })
}

/** Its number, where the text is nothing but the mark before a note. */
const noteBegun = (text: string): number | undefined => {
  const [mark, digits] = [...text.matchAll(REFERENCE)][0] ?? []
  return mark !== undefined && text.trim() === mark ? Number(digits) : undefined
}

function withReferences(block: Block): Block {
  const html = block.html?.replace(REFERENCE, '[$1]')
  return { ...block, text: block.text.replace(REFERENCE, '[$1]'), ...(html === undefined ? {} : { html }) }
}

function noteBlock(number: number, notes: Map<number, string>): Block[] {
  const text = notes.get(number)?.trim()
  notes.delete(number)
  return text ? [{ kind: 'note', text: `[${number}] ${text.replace(REFERENCE, '[$1]')}` }] : []
}
