import { expect, test } from 'vitest'
import { nextOf } from './pages/sign-in.ts'
import { withoutSitePath } from './site-path.ts'

const origin = 'https://intranet.example'
const root = { origin, siteUrl: origin }
const below = { origin, siteUrl: `${origin}/kenning` }

test.each([
  ['/kenning/v1/me?a=b', '/v1/me?a=b'],
  ['/kenning/', '/'],
  ['/kenning', '/'],
  ['/kenning?a', '/?a'],
  // The proxy has taken it away.
  ['/v1/me', '/v1/me'],
  ['/', '/'],
  // Another path.
  ['/kennings/v1', '/kennings/v1'],
  // Only once.
  ['/kenning/kenning/v1', '/kenning/v1'],
])('%s is %s inside', (url, expected) => {
  expect(withoutSitePath(url, below)).toBe(expected)
  expect(withoutSitePath(url, root)).toBe(url)
})

test('after signing in people get to pages of this service only', () => {
  expect(nextOf('/w/a?q=b', root)).toBe(`${origin}/w/a?q=b`)
  for (const next of ['/w/a?q=b', '/kenning/w/a?q=b'])
    expect(nextOf(next, below)).toBe(`${origin}/kenning/w/a?q=b`)
  for (const next of [
    undefined,
    '',
    '//evil.example',
    'https://evil.example',
    '/../wiki',
    '/%2e%2e/wiki',
    '/kenning/../wiki',
  ])
    expect(nextOf(next, below)).toBe(`${origin}/kenning/`)
})
