// What Kenning is distributed with may be distributed with it: the licence of each package, from the lock file.

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

interface Locked {
  license?: string
  dev?: boolean
  optionalDependencies?: Record<string, string>
}

/** Permissive: notice and nothing more. */
const PERMISSIVE = [
  'MIT',
  'MIT-0',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'BlueOak-1.0.0',
  '0BSD',
]
/** Of tools, and of what the built console holds, which is not linked with: weak copyleft by file, fonts, public domain. */
const FOR_TOOLS = [...PERMISSIVE, 'MPL-2.0', 'OFL-1.1', 'Python-2.0', 'Unlicense', 'CC0-1.0']
// Packages from before the field: from their licence file or readme.
const SAID_ELSEWHERE: Record<string, string> = {
  busboy: 'MIT',
  dicer: 'MIT',
  format: 'MIT',
  'humanize-number': 'MIT',
  only: 'MIT',
  streamsearch: 'MIT',
}

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
  packages: Record<string, Locked>
}
const nameOf = (path: string): string =>
  path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
const all = Object.entries(packages).filter(([path]) => path !== '')

/** Binaries for other platforms have the licence of the package that asks for them. */
const licenceOf = (path: string, { license }: Locked): string =>
  license ??
  all.find(([, one]) => nameOf(path) in (one.optionalDependencies ?? {}))?.[1].license ??
  SAID_ELSEWHERE[nameOf(path)] ??
  'unknown'

/** `A OR B` is a choice; `A AND B` is both. */
const isAmong = (licence: string, allowed: readonly string[]): boolean =>
  licence
    .replace(/[()]/g, '')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((one) => allowed.includes(one)))

test.each([
  ['production', false, PERMISSIVE],
  ['tools', true, FOR_TOOLS],
])('every package for %s has a licence that is allowed', (_, dev, allowed) => {
  const checked = all.filter(([, one]) => Boolean(one.dev) === dev)
  expect(checked.length).toBeGreaterThan(100)
  const refused = checked
    .map(([path, one]) => `${nameOf(path)}: ${licenceOf(path, one)}`)
    .filter((line) => !isAmong(line.slice(line.indexOf(': ') + 2), allowed))
  expect(refused).toEqual([])
})

test('copyleft is refused, and what is unknown; a choice is taken', () => {
  for (const licence of [
    'AGPL-3.0-only',
    'GPL-3.0',
    'LGPL-3.0',
    'SEE LICENSE IN LICENSE',
    'unknown',
    'MIT AND GPL-3.0',
  ])
    expect(isAmong(licence, FOR_TOOLS)).toBe(false)
  expect(isAmong('(MIT OR GPL-3.0)', PERMISSIVE)).toBe(true)
})
