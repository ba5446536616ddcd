// The catalogues of the service's own pages and mails have each message that the source passes to them, and no other.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ts } from '@ts-morph/common'
import { describe, expect, test } from 'vitest'
import { passwordProblem } from '../accounts/password-hash.ts'
import { MESSAGES_OF_ROOMS } from '../http/pages/texts.ts'
import { type Catalogue, PLACEHOLDER, type Translation, translator } from './messages.ts'
import { CATALOGUES } from './texts.ts'

/** Folders whose texts pass a catalogue. */
const FOLDERS = ['src/http/pages', 'src/http/oauth', 'src/accounts']

const sourcesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => join(folder, path))
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))

/** The name of a call: `t(…)` and `texts.t(…)` are `t`. */
function calledName({ expression }: ts.CallExpression): string {
  if (ts.isIdentifier(expression)) return expression.text
  const isOfTexts = ts.isPropertyAccessExpression(expression) && expression.expression.getText() === 'texts'
  return isOfTexts ? expression.name.text : ''
}

/** The English texts that a file passes to `t`, `message` and, with both forms, `plural`. */
function messagesIn(path: string): { english: string; isPlural: boolean }[] {
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true)
  const messages: { english: string; isPlural: boolean }[] = []
  const visit = (node: ts.Node): void => {
    const name = ts.isCallExpression(node) ? calledName(node) : ''
    if (ts.isCallExpression(node) && ['t', 'message', 'plural'].includes(name)) {
      const text = node.arguments[name === 'plural' ? 2 : 0]
      if (text && ts.isStringLiteral(text)) messages.push({ english: text.text, isPlural: name === 'plural' })
      else if (name !== 't') throw new Error(`${path}: ${node.getText()} needs a literal`)
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return messages
}

const sources = FOLDERS.flatMap(sourcesIn)
const messages = new Map(
  sources.flatMap(messagesIn).map(({ english, isPlural }) => [english, isPlural] as const),
)

const placeholders = (text: string): string[] =>
  [...new Set([...text.matchAll(PLACEHOLDER)].map((match) => match[1] ?? ''))].sort()
const formsOf = (translation: Translation): string[] =>
  typeof translation === 'string' ? [translation] : Object.values(translation)

test('messages are read from the source', () => {
  expect(messages.size).toBeGreaterThan(60)
  expect([...messages.keys()]).toContain('Reset your Kenning password')
})

describe.each<[string, Catalogue]>(Object.entries(CATALOGUES))('%s', (language, catalogue) => {
  test('has every message, and none that is not used', () => {
    expect(Object.keys(catalogue).sort()).toEqual([...messages.keys()].sort())
  })

  test('has the values of each message in each of its forms', () => {
    for (const [english, translation] of Object.entries(catalogue))
      for (const form of formsOf(translation)) {
        expect(placeholders(form), `${english} → ${form}`).toEqual(placeholders(english))
        expect(form, english).not.toBe('')
      }
  })

  test('has the plural forms of the language where a count decides', () => {
    const categories = new Intl.PluralRules(language).resolvedOptions().pluralCategories
    // French and Spanish have a form for millions, which is that for many here.
    const needed = categories.filter((category) => category !== 'many').sort()
    for (const [english, isPlural] of messages) {
      const translation = catalogue[english] ?? ''
      const forms = typeof translation === 'string' ? { other: translation } : translation
      expect(Object.keys(forms).sort(), english).toEqual(isPlural ? needed : ['other'])
    }
  })
})

test('the messages of other rooms are as those rooms write them', () => {
  const rooms = ['src/accounts', 'src/oauth', 'src/contract', 'src/http', 'src/oauth']
    .flatMap(sourcesIn)
    .filter((path) => path !== join('src/http/pages', 'texts.ts'))
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n')
  const lengths = ['short', 'a long password '.repeat(100)].map((text) => passwordProblem(text, 'a@b'))
  const missing = MESSAGES_OF_ROOMS.filter((text) => !rooms.includes(text) && !lengths.includes(text))
  expect(missing).toEqual([])
})

test('a text that is no message stays as it is, whatever its name', () => {
  const { text, plural } = translator({}, 'en')
  for (const name of ['constructor', 'toString', '__proto__']) expect(text(name)).toBe(name)
  expect(plural(2, 'constructor', 'constructor')).toBe('constructor')
})
