// In the build each message of the console has a number, so that no catalogue repeats the English texts: a catalogue is a list,
// and where the source calls `t`, `plural`, `rich` or `message`, a character with the number stands before the English text
// (MARKERS in src/messages/messages.ts). Source, tests and development know nothing of it: there the English text is the key.
// A catalogue is sent in two parts: `de.ts` with the messages that every reader may meet, and `de.ts?seldom` (seldom.ts).

import { ts } from '@ts-morph/common'
import type { Plugin } from 'vite'
import { type Catalogue, MARKERS, withCount } from '../../../src/messages/messages.ts'
import { de } from './de.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { ja } from './ja.ts'
import { modulesOfConsole } from './seldom.ts'

const CATALOGUES: Record<string, Catalogue> = { de, fr, es, ja }

export type Part = 'first' | 'seldom'

const firstMessages = new Set([...modulesOfConsole().first].flatMap(([path, code]) => messagesIn(path, code)))
const partOf = (english: string): Part => (firstMessages.has(english) ? 'first' : 'seldom')

/** Sorted, so that the same source makes the same files. Each catalogue has every message (messages.test.ts). */
const SORTED = Object.keys(de).sort()
const MESSAGES: Record<Part, readonly string[]> = {
  first: SORTED.filter((english) => partOf(english) === 'first'),
  seldom: SORTED.filter((english) => partOf(english) === 'seldom'),
}
const FIRST_NUMBER: Record<Part, number> = { first: 0, seldom: MESSAGES.first.length }
if (SORTED.length > MARKERS.count) throw new Error('there are more messages than characters to mark them')
const NUMBERS = new Map([...MESSAGES.first, ...MESSAGES.seldom].map((english, number) => [english, number]))

const marker = (number: number): string => String.fromCharCode(MARKERS.first + number)

/** The character before a message in the built console. */
export const markerOf = (english: string): string => marker(NUMBERS.get(english) ?? -1)

/** A part of the catalogue by markers instead of English texts. */
export function catalogueCode(language: string, catalogue: Catalogue, part: Part): string {
  const translations = JSON.stringify(MESSAGES[part].map((english) => catalogue[english] ?? english))
  const key = `String.fromCharCode(${MARKERS.first + FIRST_NUMBER[part]} + number)`
  return `export const ${language} = Object.fromEntries(${translations}.map((text, number) => [${key}, text]))`
}

interface Edit {
  start: number
  end: number
  text: string
}

function literal(node: ts.Node | undefined): ts.StringLiteralLike | undefined {
  return node && ts.isStringLiteralLike(node) ? node : undefined
}

const replacement = (node: ts.Node, text: string): Edit => ({
  start: node.getStart(),
  end: node.getEnd(),
  text: JSON.stringify(text),
})

/** The key of the message in a call. Undefined if it calls no function of the catalogue with a literal text. */
function keyOfCall(node: ts.CallExpression): string | undefined {
  const name = ts.isIdentifier(node.expression) ? node.expression.text : ''
  const [first, second, third] = node.arguments.map(literal)
  if (name === 't' || name === 'rich' || name === 'message') return first?.text
  if (name !== 'plural' || !second || (node.arguments.length > 2 && !third)) return undefined
  return withCount(third?.text ?? `${second.text}s`)
}

/** What changes in a call, or nothing if the catalogue does not have its message. */
function editsOf(node: ts.CallExpression): Edit[] {
  const key = keyOfCall(node)
  const number = key === undefined ? undefined : NUMBERS.get(key)
  if (key === undefined || number === undefined) return []
  const text = marker(number) + key
  const [first, second, third] = node.arguments.map(literal)
  if (first) return [replacement(first, text)]
  if (!second) return []
  const one = replacement(second, withCount(second.text))
  return third ? [one, replacement(third, text)] : [{ ...one, text: `${one.text}, ${JSON.stringify(text)}` }]
}

/** Calls `visit` for each call in the source. */
function forEachCall(path: string, code: string, visit: (node: ts.CallExpression) => void): void {
  const walk = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) visit(node)
    ts.forEachChild(node, walk)
  }
  walk(ts.createSourceFile(path, code, ts.ScriptTarget.Latest, true))
}

/** The keys of the messages in a module. */
function messagesIn(path: string, code: string): string[] {
  const keys: string[] = []
  forEachCall(path, code, (node) => {
    const key = keyOfCall(node)
    if (key !== undefined) keys.push(key)
  })
  return keys
}

/** The source of a module with a marker before each message. */
export function markMessages(path: string, code: string): string {
  const edits: Edit[] = []
  forEachCall(path, code, (node) => edits.push(...editsOf(node)))
  return edits
    .sort((a, b) => b.start - a.start)
    .reduce((text, { start, end, text: next }) => text.slice(0, start) + next + text.slice(end), code)
}

export const numberedMessages: Plugin = {
  name: 'numbered-messages',
  apply: 'build',
  enforce: 'pre',
  transform(code, id) {
    const [file = '', query] = id.split('?')
    const path = file.replaceAll('\\', '/')
    const [, language = ''] = /\/web\/src\/language\/(\w+)\.ts$/.exec(path) ?? []
    const catalogue = CATALOGUES[language]
    if (catalogue)
      return { code: catalogueCode(language, catalogue, query === 'seldom' ? 'seldom' : 'first'), map: null }
    if (!/\.tsx?$/.test(path) || !/(language|\.)\/text\.tsx'/.test(code)) return null
    return { code: markMessages(path, code), map: null }
  },
}
