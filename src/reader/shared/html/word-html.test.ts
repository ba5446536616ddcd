// HTML written by Word, Outlook and wikis.

import { expect, test } from 'vitest'
import { htmlBlocks } from './html.ts'

const read = (html: string): string[] =>
  htmlBlocks(html).map(({ kind, level, text }) => `${kind}${level ?? ''}: ${text}`)

const mark = (text: string): string =>
  `<![if !supportLists]><span style='mso-list:Ignore'>${text}<span style='font:7pt "Times"'>&nbsp;&nbsp; </span></span><![endif]>`
const item = (level: number, sign: string, text: string): string =>
  `<p class=MsoListParagraph style='mso-list:l0 level${level} lfo1'>${mark(sign)}${text}</p>\n`

test('items of lists, entries of contents, titles and tabs of Word', () => {
  const tab = "<span style='mso-tab-count:1 dotted'>....... </span>"
  const page = `<p class=MsoTitle>Rules</p>
    <p class=MsoToc1>1 Berths${tab}2</p><p class=MsoToc2>1.1 Fees${tab}3</p>
    <h1>${mark('1')}Berths</h1>
    ${item(1, 'a)', 'one')}${item(2, '·', 'dot')}${item(2, 'o', 'circle')}${item(1, 'b)', 'two')}
    <p class=MsoNormal>Weight${tab}4 t</p>${item(1, 'iv.', 'four')}<ul><li>x</li></ul>
    <table><tr><td>${item(1, '2.', 'cell')}</td><td>y</td></tr></table>`
  expect(read(page)).toEqual([
    'heading1: Rules',
    'list: 1 Berths\t2\n  1.1 Fees\t3',
    'heading1: 1 Berths',
    'list: a) one\n  - dot\n  - circle\nb) two',
    'paragraph: Weight\t4 t',
    'list: iv. four',
    'list: - x',
    'table: | 2. cell | y |\n| --- | --- |',
  ])
})

test('a first paragraph that the page calls its title is a heading', () => {
  expect(read('<p class="c1 title">Statutes</p><p>Of the sea.</p><p class=title>no</p>')).toEqual([
    'heading1: Statutes',
    'paragraph: Of the sea.',
    'paragraph: no',
  ])
})

test('menus by their role and what is not for paper are out, the main part by its role is in', () => {
  const page = `<div role=navigation><ul><li>Home</li></ul></div><div class=side>Aside.</div>
    <div role=main><div><h1>Light<span class=mw-editsection>[edit]</span></h1></div><p>It was lit in 1826, <del>early</del><ins>late</ins>.</p></div><div>Below.</div>`
  expect(read(page)).toEqual(['heading1: Light', 'paragraph: It was lit in 1826, early late.'])
})

test('a list of thousands of items is several blocks and loses none', () => {
  const items = Array.from({ length: 5000 }, (_, i) => `${i + 1}) buoy`)
  const found = read(items.map((text) => item(1, text.split(' ')[0] ?? '', 'buoy')).join(''))
  expect(found.length).toBeGreaterThan(1)
  expect(found.flatMap((text) => text.replace('list: ', '').split('\n'))).toEqual(items)
})
