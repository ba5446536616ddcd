// In the build each message of the console has a number, so that no catalogue repeats the English texts: a catalogue is a list,
// and where the source calls `t`, `plural`, `rich` or `message`, a character with the number stands before the English text
// (MARKERS in src/messages/messages.ts). Source, tests and development know nothing of it: there the English text is the key.

import { ts } from '@ts-morph/common'
import type { Plugin } from 'vite'
import { type Catalogue, MARKERS, withCount } from '../../../src/messages/messages.ts'
import { de } from './de.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { ja } from './ja.ts'

const CATALOGUES: Record<string, Catalogue> = { de, fr, es, ja }

/** Sorted, so that the same source makes the same files. Each catalogue has every message (messages.test.ts). */
const MESSAGES = Object.keys(de).sort()
if (MESSAGES.length > MARKERS.count) throw new Error('there are more messages than characters to mark them')
const NUMBERS = new Map(MESSAGES.map((english, number) => [english, number]))

const marker = (number: number): string => String.fromCharCode(MARKERS.first + number)

/** The catalogue by markers instead of English texts. */
export function catalogueCode(language: string, catalogue: Catalogue): string {
  const translations = JSON.stringify(MESSAGES.map((english) => catalogue[english] ?? english))
  const key = `String.fromCharCode(${MARKERS.first} + number)`
  return `export const ${language} = Object.fromEntries(${translations}.map((text, number) => [${key}, text]))`
}

interface Edit {
  start: number
  end: number
  text: string
}

const literal = (node: ts.Node | undefined): ts.StringLiteralLike | undefined =>
  node && ts.isStringLiteralLike(node) ? node : undefined

const replacement = (node: ts.Node, text: string): Edit => ({
  start: node.getStart(),
  end: node.getEnd(),
  text: JSON.stringify(text),
})

/** What changes in a call, or nothing if it calls no function of the catalogue with a text that is there. */
function editsOf(node: ts.CallExpression): Edit[] {
  const name = ts.isIdentifier(node.expression) ? node.expression.text : ''
  const [first, second, third] = node.arguments.map(literal)
  if (name === 't' || name === 'rich' || name === 'message') {
    const number = first && NUMBERS.get(first.text)
    return first && number !== undefined ? [replacement(first, marker(number) + first.text)] : []
  }
  if (name !== 'plural' || !second || (node.arguments.length > 2 && !third)) return []
  const many = withCount(third?.text ?? `${second.text}s`)
  const number = NUMBERS.get(many)
  if (number === undefined) return []
  const one = replacement(second, withCount(second.text))
  const other = marker(number) + many
  return third
    ? [one, replacement(third, other)]
    : [{ ...one, text: `${one.text}, ${JSON.stringify(other)}` }]
}

/** The source of a module with a marker before each message. */
export function markMessages(path: string, code: string): string {
  const source = ts.createSourceFile(path, code, ts.ScriptTarget.Latest, true)
  const edits: Edit[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) edits.push(...editsOf(node))
    ts.forEachChild(node, visit)
  }
  visit(source)
  return edits
    .sort((a, b) => b.start - a.start)
    .reduce((text, { start, end, text: next }) => text.slice(0, start) + next + text.slice(end), code)
}

export const numberedMessages: Plugin = {
  name: 'numbered-messages',
  apply: 'build',
  enforce: 'pre',
  transform(code, id) {
    const path = id.split('?')[0]?.replaceAll('\\', '/') ?? ''
    const [, language = ''] = /\/web\/src\/language\/(\w+)\.ts$/.exec(path) ?? []
    const catalogue = CATALOGUES[language]
    if (catalogue) return { code: catalogueCode(language, catalogue), map: null }
    if (!/\.tsx?$/.test(path) || !/(language|\.)\/text\.tsx'/.test(code)) return null
    return { code: markMessages(path, code), map: null }
  },
}
