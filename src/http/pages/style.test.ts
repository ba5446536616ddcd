// The plain pages look like the console: every colour that they use is the console's, in both themes.

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { STYLE } from './style.ts'

const coloursOf = (css: string): Record<string, string> =>
  Object.fromEntries(
    [...css.matchAll(/(--[\w-]+):\s*(light-dark\([^)]*\))/g)].map(([, name, colours]) => [name, colours]),
  )

test('the plain pages have the console’s colours', () => {
  const ours = coloursOf(STYLE)
  expect(Object.keys(ours).length).toBeGreaterThan(8)
  expect(coloursOf(readFileSync('web/src/style.css', 'utf8'))).toMatchObject(ours)
})
