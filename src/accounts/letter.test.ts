import { parseDocument } from 'htmlparser2'
import { expect, test } from 'vitest'
import { textsIn } from '../messages/texts.ts'
import { makeLetter } from './letter.ts'

const CONTENT = {
  to: 'ben@example.org',
  subject: 'A passkey was added',
  paragraphs: ['You can sign in with “<b>Key</b>”.'],
  action: { label: 'Open your account page', link: 'https://kenning.example.org/settings?a=1&b=2' },
  notes: ['If you did not expect this, tell your administrator.'],
}
const SITE = 'https://kenning.example.org'

test('both parts say the same, and name the service', () => {
  const { text, html } = makeLetter(textsIn('en'), CONTENT, SITE)
  expect(text).toBe(
    [
      'You can sign in with “<b>Key</b>”.',
      'Open your account page\nhttps://kenning.example.org/settings?a=1&b=2',
      'If you did not expect this, tell your administrator.',
      'This email was sent by Kenning at https://kenning.example.org.\n',
    ].join('\n\n'),
  )
  for (const words of [
    '&lt;b&gt;Key&lt;/b&gt;',
    'a=1&amp;b=2"',
    'tell your administrator',
    `Kenning at ${SITE}.`,
  ])
    expect(html).toContain(words)
  expect(html).not.toContain('<b>')
})

test('the subject is the heading of the HTML part, unless there is another one', () => {
  expect(makeLetter(textsIn('en'), CONTENT, SITE).html).toContain('<h1>A passkey was added</h1>')
  const other = makeLetter(textsIn('en'), { ...CONTENT, heading: 'Another sentence.' }, SITE)
  expect(other.html).toContain('<h1>Another sentence.</h1>')
  expect(other.text).toMatch(/^Another sentence\.\n\n/)
})

test('the HTML part has its language and may be shown light or dark, and fetches nothing', () => {
  const { html } = makeLetter(textsIn('ja'), CONTENT, SITE)
  expect(html).toMatch(/^<!doctype html>\n<html lang="ja">.*<meta name="color-scheme" content="light dark">/)
  const names: string[] = []
  const visit = (nodes: object[]): void => {
    for (const node of nodes as { name?: string; children?: object[] }[]) {
      if (node.name) names.push(node.name)
      visit(node.children ?? [])
    }
  }
  visit(parseDocument(html).children)
  expect(names).toContain('h1')
  expect(names.filter((name) => ['img', 'link', 'script', 'iframe', 'form'].includes(name))).toEqual([])
  expect(html).not.toMatch(/url\(|@import/)
})
