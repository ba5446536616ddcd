// Blocks written as Markdown and read back by a Markdown parser.

import fc from 'fast-check'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { toString as textOf } from 'mdast-util-to-string'
import { expect, test } from 'vitest'
import { toMarkdown } from './markdown.ts'

test('headings, tables, notes and pages', () => {
  const markdown = toMarkdown({
    title: 'A "title"',
    blocks: [
      { kind: 'heading', text: 'One\ntwo', level: 3, page: 1 },
      { kind: 'paragraph', text: 'Text.', page: 1 },
      { kind: 'table', text: '| A |\n| --- |\n| 1 |', page: 2 },
      { kind: 'note', text: 'Aside,\nover two lines.', page: 2 },
    ],
  })
  expect(markdown).toBe(
    '---\ntitle: "A \\"title\\""\n---\n\n<!-- page 1 -->\n\n### One two\n\nText.\n\n<!-- page 2 -->\n\n| A |\n| --- |\n| 1 |\n\n> Aside,\n> over two lines.\n',
  )
})

test('code stays code, whatever backticks it holds', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('`', '```', 'a', '\n', ' ', '~~~'), { minLength: 1 }), (parts) => {
      const text = parts.join('')
      const [node, ...others] = fromMarkdown(toMarkdown({ blocks: [{ kind: 'code', text }] })).children
      expect(others).toEqual([])
      expect(node).toMatchObject({ type: 'code', value: text })
    }),
  )
})

test('a paragraph is no heading, quote or code, whatever it begins with', () => {
  fc.assert(
    fc.property(fc.constantFrom('# a', '> a', '```a', '~~~', '---', '===', '###### x'), (start) => {
      const { children } = fromMarkdown(
        toMarkdown({ blocks: [{ kind: 'paragraph', text: `${start}\n${start}` }] }),
      )
      expect(children.map(({ type }) => type)).toEqual(['paragraph'])
      expect(textOf({ type: 'root', children })).toContain(start)
    }),
  )
})
