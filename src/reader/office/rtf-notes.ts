// Footnotes of RTF, taken out before the text is read and put back behind the block that refers to them: officeparser lets
// a note's paragraph end the table it stands in, and takes the row's cells for the note's text.

import type { Block } from '../block.ts'
import { numeral } from './word/numerals.ts'

// Signs of the private area say where a note was referred to, and others in the end where each begins: a paragraph may
// be nothing but a reference (a picture with its source in a note).
const REFERENCE = /\uf8f0(\w+)\uf8f1/gu
const BEGINNING = /^\uf8f2(\w+)\uf8f1$/u
const referring = (mark: string): string => `\\u-1808 ${mark}\\u-1807 `
const beginning = (mark: string): string => `\\u-1806 ${mark}\\u-1807 `
const NOTE = /\{(?:\\\*)?\\footnote(?![a-z])/g

/** The RTF with its notes as paragraphs at the end. */
export function notesLast(rtf: string): string {
  const body: string[] = []
  const notes: { mark: string; text: string }[] = []
  let endnotes = 0
  let from = 0
  for (const { 0: opening, index } of rtf.matchAll(NOTE)) {
    if (index < from) continue
    const end = groupEnd(rtf, index)
    if (end === undefined) break
    const text = rtf.slice(index + opening.length, end - 1)
    // Endnotes count i, ii, iii, as in the other kinds of Word.
    const isEndnote = /^[^{}]{0,20}\\ftnalt(?![a-z])/.test(text)
    if (isEndnote) endnotes++
    const mark = isEndnote ? numeral(endnotes, 'lowerRoman') : String(notes.length - endnotes + 1)
    notes.push({ mark, text })
    body.push(rtf.slice(from, index), referring(mark))
    from = end
  }
  if (notes.length === 0) return rtf
  body.push(rtf.slice(from))
  const text = body.join('')
  const tail = notes.map(
    ({ mark, text: note }) => `\\par\\pard\\plain ${beginning(mark)}\\par\\pard\\plain ${note}`,
  )
  // Behind all groups, those of a file cut short too: one of them might be a picture's.
  return `${text}${'}'.repeat(openGroups(text))}${tail.join('')}\\par`
}

function openGroups(rtf: string): number {
  let depth = 0
  for (const [found] of rtf.matchAll(/\\[\s\S]|[{}]/g)) {
    if (found === '{') depth++
    else if (found === '}' && depth > 0) depth--
  }
  return depth
}

/** Behind the brace that closes the group which opens here; undefined where none does. */
export function groupEnd(rtf: string, open: number): number | undefined {
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
  const begin = blocks.findIndex(({ text }) => noteBegun(text) !== undefined)
  const first = begin === -1 ? blocks.length : begin
  const notes = new Map<string, string>()
  let mark = ''
  for (const { text } of blocks.slice(first)) {
    const begun = noteBegun(text)
    if (begun === undefined) notes.set(mark, `${notes.get(mark) ?? ''}\n${text.trim()}`)
    else mark = begun
  }
  const placed = blocks.slice(0, first).flatMap((block) => {
    const referred = [...block.text.matchAll(REFERENCE)].map(([, own = '']) => own)
    return [withReferences(block), ...referred.flatMap((own) => noteBlock(own, notes))]
  })
  // What refers to them is not among the blocks (a running header).
  return [...placed, ...[...notes.keys()].flatMap((own) => noteBlock(own, notes))]
}

/** Its mark, where the text is nothing but the one before a note. */
const noteBegun = (text: string): string | undefined => BEGINNING.exec(text.trim())?.[1]

function withReferences(block: Block): Block {
  const html = block.html?.replace(REFERENCE, '[$1]')
  return { ...block, text: block.text.replace(REFERENCE, '[$1]'), ...(html === undefined ? {} : { html }) }
}

function noteBlock(mark: string, notes: Map<string, string>): Block[] {
  const text = notes.get(mark)?.trim()
  notes.delete(mark)
  return text ? [{ kind: 'note', text: `[${mark}] ${text.replace(REFERENCE, '[$1]')}` }] : []
}
