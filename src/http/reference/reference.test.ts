// The reference of the real contract: nothing is missing, no link is dead, and a browser need not run or fetch anything.

import { expect, test } from 'vitest'
import { openApi } from '../../contract/openapi.ts'
import { markupOf } from '../pages/html.ts'
import type { Description } from './description.ts'
import { referencePage } from './reference.ts'

const description = openApi('https://kenning.example.org/v1') as unknown as Description
const page = markupOf(referencePage(description).body)
const all = (pattern: RegExp): string[] => [...page.matchAll(pattern)].map(([, found]) => found ?? '')

test('every operation and every object has its place, and each link leads to one', () => {
  const operations = Object.values(description.paths).flatMap((path) => Object.values(path))
  const ids = all(/ id="([^"]+)"/g)
  expect(new Set(ids).size).toBe(ids.length)
  const wanted = [
    ...operations.map(({ operationId }) => operationId),
    ...Object.keys(description.components.schemas).map((name) => `schema-${name}`),
  ]
  expect(wanted.filter((id) => !ids.includes(id))).toEqual([])
  expect(all(/ href="#([^"]+)"/g).filter((id) => !ids.includes(id))).toEqual([])
})

test('it needs no script and nothing from elsewhere', () => {
  expect(page).not.toMatch(/<script|<style|<img|<link| style=| on\w+=/)
  expect(all(/ href="([^#][^"]*)"/g)).toEqual(['/keys', '/v1/openapi.json'])
  expect(page).not.toMatch(/undefined|\[object|NaN/)
})

test('what a program has to know is there: types, bounds, defaults, an example to copy', () => {
  const article = page.split('<article id="').find((part) => part.startsWith('search"')) ?? ''
  expect(article).toContain('POST /workspaces/{workspace_id}/search')
  expect(article).toContain('href="#schema-SearchRequest"')
  expect(article).toContain(
    'curl -X POST &quot;https://kenning.example.org/v1/workspaces/$WORKSPACE_ID/search&quot;',
  )
  expect(article).toContain('-d &#39;{&quot;query&quot;:&quot;notice period&quot;,&quot;limit&quot;:2}&#39;')
  expect(article).toContain('Every member of the workspace may call it, also with an API key.')
  expect(article).toContain('<summary>Example of the answer, <code>application/json</code></summary>')
  const request = page.split('<article id="').find((part) => part.startsWith('schema-SearchRequest"')) ?? ''
  expect(request).toMatch(
    /<code>limit<\/code><\/th><td>integer<\/td><td>optional, default 10, from 1 up to 20/,
  )
})
