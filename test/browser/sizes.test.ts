// How much of the console a browser loads before it shows something, compressed.

import { readFileSync, statSync } from 'node:fs'
import { expect, test } from 'vitest'

const MAX_FIRST_LOAD = 150_000
const MAX_ROUTE = 250_000
const assets = 'dist/web/assets'

const source = (name: string): string => readFileSync(`${assets}/${name}`, 'utf8')
const names = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].flatMap(([, name]) => name ?? [])
const loaded = (name: string): string[] => names(source(name), /(?:from|import)["'`]\.\/([\w.-]+\.js)["'`]/g)
const lazy = (name: string): string[] => names(source(name), /import\(["'`]\.\/([\w.-]+\.js)["'`]\)/g)

/** The scripts that are loaded together with these. */
function together(first: readonly string[]): Set<string> {
  const all = new Set<string>()
  const add = (name: string): void => {
    if (all.has(name)) return
    all.add(name)
    for (const next of loaded(name)) add(next)
  }
  for (const name of first) add(name)
  return all
}
const bytes = (scripts: Iterable<string>): number =>
  [...scripts].reduce((sum, name) => sum + statSync(`${assets}/${name}.gz`).size, 0)

const entry = names(readFileSync('dist/web/index.html', 'utf8'), /assets\/([\w.-]+\.js)/g)

test('the scripts of the first load have at most 150 kB', () => {
  const scripts = together(entry)
  expect(scripts.size).toBeGreaterThan(0)
  expect(bytes(scripts)).toBeGreaterThan(50_000)
  expect(bytes(scripts)).toBeLessThanOrEqual(MAX_FIRST_LOAD)
})

test('no page needs more than 250 kB of scripts; the canvas of the graph comes only when it is looked at', () => {
  const pages = [...together(entry)].flatMap(lazy)
  expect(pages.length).toBeGreaterThan(6)
  for (const page of new Set(pages))
    expect(bytes(together([...entry, page])), page).toBeLessThanOrEqual(MAX_ROUTE)
})
