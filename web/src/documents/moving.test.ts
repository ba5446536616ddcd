// How documents are moved although an answer is lost.

import { afterEach, expect, test, vi } from 'vitest'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

const MOVE = {
  id: 'd1',
  title: 'X',
  path: 'b/x.md',
  previous_path: 'a/x.md',
}

/** The module as it is loaded in a browser with this language, on a page of http. */
async function inBrowser(locale: string, answers: readonly (() => Response)[]) {
  const keys: unknown[] = []
  vi.stubGlobal('navigator', { languages: [locale] })
  vi.stubGlobal('document', { documentElement: { lang: '' } })
  vi.stubGlobal('crypto', { getRandomValues: crypto.getRandomValues.bind(crypto) })
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    if (url.endsWith('/session/token')) return Response.json({ access_token: 't', expires_in: 900 })
    keys.push(new Headers(init.headers).get('idempotency-key'))
    const answer = answers[keys.length - 1] ?? answers.at(-1)
    if (!answer) throw new TypeError('Failed to fetch')
    return answer()
  })
  vi.resetModules()
  const { loadCatalogue } = await import('../language/text.tsx')
  await loadCatalogue()
  return { ...(await import('./moving.ts')), keys }
}

const lost = (): Response => {
  throw new TypeError('Failed to fetch')
}

test('a move whose answer is lost is sent again with the same key, on a page of http too', async () => {
  const { moveToFolder, keys } = await inBrowser('en', [lost, () => Response.json({ data: [MOVE] })])
  expect(await moveToFolder('w', ['d1'], 'b')).toEqual([MOVE])
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
  expect(keys).toEqual([keys[0], keys[0]])
  const { repeatable } = await import('./moving.ts')
  expect(repeatable().idempotencyKey).not.toBe(repeatable().idempotencyKey)
})
