// What robots.txt allows (examples of RFC 9309), and that no rule takes longer than its length and the path's.

import { expect, test } from 'vitest'
import { parseRobots } from './robots.ts'

const at = (path: string): URL => new URL(path, 'https://example.org')
const allowed = (text: string, ...paths: string[]): boolean[] => {
  const { isAllowed } = parseRobots(text, 'kenning')
  return paths.map((path) => isAllowed(at(path)))
}

test.each<[rule: string, inside: string[], outside: string[]]>([
  ['/', ['/', '/x'], []],
  ['/fish', ['/fish', '/fish.html', '/fish/x', '/fishheads'], ['/Fish', '/catfish', '/']],
  ['/fish/', ['/fish/', '/fish/x'], ['/fish', '/fish.html']],
  ['/*.php', ['/a.php', '/a/b.php?x=1', '/a.php5'], ['/', '/a.PHP']],
  ['/*.php$', ['/a.php', '/a/b.php'], ['/a.php?x=1', '/a.php5']],
  ['/fish*.php', ['/fish.php', '/fishheads/a.php?x'], ['/a.php']],
  ['/a$', ['/a'], ['/ab', '/']],
  ['/a*$', ['/a', '/ab'], ['/b']],
  ['*/a*b*c', ['/x/abc', '/a1b2c3'], ['/acb']],
  ['/ü', ['/%C3%BC', '/%c3%bcx'], ['/u']],
  ['/%7Ejoe', ['/~joe'], ['/joe']],
  ['/a%2fb', ['/a%2Fb'], ['/a/b']],
  ['', [], ['/', '/x']],
])('Disallow: %s', (rule, inside, outside) => {
  const text = `User-agent: *\nDisallow: ${rule}`
  expect(allowed(text, ...inside)).toEqual(inside.map(() => false))
  expect(allowed(text, ...outside)).toEqual(outside.map(() => true))
})

test('the longest rule counts, and one that allows before one as long that does not', () => {
  const text = 'User-agent: *\nDisallow: /\nAllow: /docs\nDisallow: /docs/old\nAllow: /page\nDisallow: /page'
  expect(allowed(text, '/', '/docs/a', '/docs/old/a', '/page')).toEqual([false, true, false, true])
})

test('our own group before that of all; several of one agent are one; comments, versions and order are no matter', () => {
  const text = [
    '\uFEFFuser-agent: other\nDISALLOW : /',
    'User-Agent: Kenning/2 # us\nUser-agent: third\nDisallow: /a # not this',
    'User-agent: *\nDisallow: /b',
    'User-agent: kenning\rDisallow: /c\nCrawl-delay: 3',
    'Sitemap: https://example.org/x',
  ].join('\n')
  expect(allowed(text, '/a', '/b', '/c', '/d')).toEqual([false, true, false, true])
  expect(parseRobots(text, 'kenning').delaySeconds).toBe(3)
  expect(parseRobots(text, 'nobody').delaySeconds).toBeUndefined()
  expect(allowed('', '/')).toEqual([true])
  expect(allowed('Disallow: /\nUser-agent: *', '/')).toEqual([true])
})

// A matcher that tries again at each star needs years for it.
test('rules of any length take no longer than their length and that of the path', () => {
  const path = `/${'a'.repeat(14_000)}`
  const text = `User-agent: *\nDisallow: /${'*a'.repeat(7000)}b\nDisallow: ${`${'a'.repeat(7000)}*`.repeat(30)}`
  expect(allowed(text, path)).toEqual([true])
  expect(allowed(`User-agent: *\nDisallow: /${'*a'.repeat(7000)}`, path)).toEqual([false])
})
