// Names say what they hold: few bindings are called by a bare participle or adverb (docs/glossary.md, how names are made).

import { readdirSync, readFileSync } from 'node:fs'
import { ts } from '@ts-morph/common'
import { expect, test } from 'vitest'

/** Participles and adverbs that, as a name, say nothing of the thing. */
const BARE = new Set(
  `again alike along apart aside asked behind beside chosen counted drawn filled found given gone got heard held kept known
   left lost made meant named placed refused said seen sent settled shown spoken stated taken told tried wanted written`.split(
    /\s+/,
  ),
)
/** The mark of issue 40; the count may only fall. */
const MAX_BARE_BINDINGS = 4

/** Constants, variables, functions and parameters of the text that are called by a bare word, as `line name`. */
function bareBindings(path: string, text: string): string[] {
  // Beside a right or a top, left is a side.
  const hasSides = /\b(?:right|top)\b/.test(text)
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest)
  const bindings: string[] = []
  const visit = (node: ts.Node): void => {
    const isBinding =
      ts.isVariableDeclaration(node) ||
      ts.isParameter(node) ||
      ts.isBindingElement(node) ||
      ts.isFunctionDeclaration(node)
    if (isBinding && node.name && ts.isIdentifier(node.name)) {
      const name = node.name.text
      const { line } = file.getLineAndCharacterOfPosition(node.getStart(file))
      if (BARE.has(name) && !(name === 'left' && hasSides)) bindings.push(`${line + 1} ${name}`)
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return bindings
}

test('bindings are named after what they hold', () => {
  const paths = ['src', 'web/src']
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
    )
    .filter((path) => /\.tsx?$/.test(path) && !/\.(?:test|d)\.tsx?$/.test(path))
  expect(paths.length).toBeGreaterThan(800)
  const bare = paths.flatMap((path) =>
    bareBindings(path, readFileSync(path, 'utf8')).map((binding) => `${path}:${binding}`),
  )
  expect(bare.length, bare.join('\n')).toBeLessThanOrEqual(MAX_BARE_BINDINGS)
})

test.each([
  ['const found = 1', ['1 found']],
  ['const { kept: memory, told } = x\nfunction left(known: string) {}', ['1 told', '2 left', '2 known']],
  ['const [left, top] = box', []],
  ['const foundPages = x.found', []],
])('%s', (text, bindings) => {
  expect(bareBindings('a.ts', text)).toEqual(bindings)
})
