// Layout tables and data tables of HTML pages.

import { expect, test } from 'vitest'
import { htmlBlocks } from './html.ts'

const read = (html: string): string[] =>
  htmlBlocks(html).flatMap(({ kind, text, hidden }) => (hidden ? [] : [`${kind}: ${text}`]))

const prices = '<table><tr><th>Item<th>Price</tr><tr><td>Lamp<td>5</tr></table>'
const priceTable = 'table: | Item | Price |\n| --- | --- |\n| Lamp | 5 |'

test('what stands in tables for layout keeps its headings, lists and tables', () => {
  const page = `<table width=600><tr><td>Menu</td><td><h1>News</h1><p>Dear reader,</p><ul><li>one<li>two</ul>${prices}</td></tr></table>After.`
  expect(read(page)).toEqual([
    'paragraph: Menu',
    'heading: News',
    'paragraph: Dear reader,',
    'list: - one\n- two',
    priceTable,
    'paragraph: After.',
  ])
  expect(read(`<table role="presentation"><tr><td>left</td><td>right</td></tr></table>`)).toEqual([
    'paragraph: left',
    'paragraph: right',
  ])
  expect(read(`<table><tr><td>${prices}</td><td>beside</td></tr></table>`)).toEqual([
    priceTable,
    'paragraph: beside',
  ])
  expect(read('<table><tr><td><p>one</p><p>two</p></td></tr></table>')).toEqual([
    'paragraph: one',
    'paragraph: two',
  ])
})

test('a table of data with a small one in a cell, a drawn grid and headed columns stay tables', () => {
  const inner = '<table><tr><td>x</td><td>y</td></tr></table>'
  const row = '<tr><td>a</td><td>b</td><td>c</td></tr>'
  expect(read(`<table>${row}${row}<tr><td>d</td><td>${inner}</td><td>e</td></tr></table>`)).toEqual([
    'table: | a | b | c |\n| --- | --- | --- |\n| a | b | c |\n| d | x y | e |',
  ])
  for (const border of ['border=1', 'border', 'border="border"'])
    expect(read(`<table ${border}><tr><td>a</td><td>${inner}</td></tr></table>`)).toEqual([
      'table: | a | x y |\n| --- | --- |',
    ])
  expect(
    read('<table><tr><th>Kind</th><th>Use</th></tr><tr><td><h3>Buoy</h3></td><td>marks</td></tr></table>'),
  ).toEqual(['table: | Kind | Use |\n| --- | --- |\n| Buoy | marks |'])
})

test('cells that the style sheet of the page draws are data, whatever is in them', () => {
  const inner = '<table><tr><td>x</td><td>y</td></tr></table>'
  const table = `<table><tr><td><h2>a</h2></td><td>b</td></tr><tr><td>${inner}</td><td>c</td></tr></table>`
  const drawn = ['table: | a | b |\n| --- | --- |\n| x y | c |']
  const apart = ['heading: a', 'paragraph: b', 'table: | x | y |\n| --- | --- |', 'paragraph: c']
  const under = (style: string): string[] => read(`<style>${style}</style>${table}`)
  expect(under('table, th, td {border: 1px solid black}')).toEqual(drawn)
  expect(under('@media screen { p { margin: 0 } td { border: 2px } }')).toEqual(drawn)
  expect(under('p { margin: 0 } table tr > td { padding: 3px; border-bottom: thin dotted }')).toEqual(drawn)
  expect(under('td { border: none } th { border-width: 0 }')).toEqual(apart)
  expect(under('td { border-collapse: collapse } .prices td { border: 1px solid }')).toEqual(apart)
  expect(under('table { border: 1px solid }')).toEqual(apart)
  // What is no part of a selector.
  expect(under('/* grid } */ td /* all */ { /* thin */ border: 1px solid }')).toEqual(drawn)
  expect(under('<!-- td { border: 1px solid } -->')).toEqual(drawn)
  expect(under('@import "other.css"; td { border: 1px solid }')).toEqual(drawn)
  expect(under('p { margin: 0 } /* td { border: 1px solid }')).toEqual(apart)
})

test('cells that are drawn on paper only say nothing of the page', () => {
  const table = '<table><tr><td><h2>Tides</h2><p>High at noon.</p></td><td>Menu</td></tr></table>'
  const apart = ['heading: Tides', 'paragraph: High at noon.', 'paragraph: Menu']
  const drawn = ['table: | Tides High at noon. | Menu |\n| --- | --- |']
  const border = 'td { border: 1px solid }'
  const under = (sheet: string): string[] => read(`${sheet}${table}`)
  expect(under(`<style>@media print { p { margin: 0 } ${border} }</style>`)).toEqual(apart)
  expect(
    under(`<style>@MEDIA only print and (color) { @supports (x: y) { ${border} } ${border} }</style>`),
  ).toEqual(apart)
  expect(under(`<style media="print">${border}</style>`)).toEqual(apart)
  expect(under(`<style media="print">p { margin: 0 }</style><style>${border}</style>`)).toEqual(drawn)
  expect(under(`<style media="all">@media print { p { margin: 0 } } ${border}</style>`)).toEqual(drawn)
  for (const media of ['print, screen', 'not print', 'screen'])
    expect(under(`<style>@media ${media} { ${border} }</style>`), media).toEqual(drawn)
})

test('a style sheet takes no square of its length', () => {
  const long = 1_000_000
  for (const piece of [
    '<style>',
    '<style>td',
    '<style>;border',
    '{',
    'td,',
    'a ',
    'td >',
    ';border ',
    ': ',
    '/*',
    '/**/',
    '<!--',
    '@media print{',
    '@media print,',
    '@media ',
  ]) {
    const sheet = piece.repeat(long / piece.length)
    expect(read(`<style>${sheet}</style>${prices}`)).toEqual([priceTable])
  }
  expect(read(`${prices}${'<style>{'.repeat(long / 8)}`)).toEqual([priceTable])
})

test('headings that name the rows or columns of short cells are a header', () => {
  const named = ['Weight', 'Length'].map((name) => `<tr><td><h4>${name}</h4></td><td>5</td><td>x</td></tr>`)
  expect(read(`<table>${named.join('')}</table>`)).toEqual([
    'table: | Weight | 5 | x |\n| --- | --- | --- |\n| Length | 5 | x |',
  ])
  const headed = '<tr><td><h4>Item</h4></td><td><h4>Price</h4></td></tr><tr><td>Lamp</td><td>5</td></tr>'
  expect(read(`<table>${headed}</table>`)).toEqual([priceTable])
  const text = (name: string): string => `<tr><td><h2>${name}</h2></td><td><p>Some text.</p></td></tr>`
  expect(read(`<table>${text('Work')}${text('School')}</table>`)).toEqual([
    'heading: Work',
    'paragraph: Some text.',
    'heading: School',
    'paragraph: Some text.',
  ])
})

test('a hidden table counts as well; one that nobody closed ends with the page', () => {
  const page = `<div hidden>${prices}</div><table><tr><td><h2>Rules</h2><p>Keep off.</p>`
  expect(read(page)).toEqual(['heading: Rules', 'paragraph: Keep off.'])
})

test('the marks of lists', () => {
  expect(read('<ol type="a" start="3"><li>three<li>four</ol><ol type="I"><li>one</ol>')).toEqual([
    'list: c. three\nd. four',
    'list: I. one',
  ])
  expect(read('<ol type="a" start="26"><li>z<li>aa<li>ab</ol><ol type="i" start="0"><li>none</ol>')).toEqual([
    'list: z. z\naa. aa\nab. ab',
    'list: 0. none',
  ])
  expect(read('<ol reversed start="2"><li>two<li>one</ol>')).toEqual(['list: 2. two\n1. one'])
})
