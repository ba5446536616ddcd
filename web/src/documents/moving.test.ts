// How documents are moved although an answer is lost, and what is said if they cannot be moved.

import { afterEach, expect, test, vi } from 'vitest'
import { MAX_MOVED_DOCUMENTS } from '../../../src/contract/limits.ts'

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

const refusal =
  (type: string, ctx: object = {}) =>
  (): Response =>
    Response.json(
      {
        error: { type: 'invalid_request', message: 'folder: English words' },
        detail: [{ loc: ['body', 'folder'], msg: 'English words', type, input: '', ctx }],
      },
      { status: 422 },
    )

test('a move whose answer is lost is sent again with the same key, on a page of http too', async () => {
  const { moveToFolder, keys } = await inBrowser('en', [lost, () => Response.json({ data: [MOVE] })])
  expect(await moveToFolder('w', ['d1'], 'b')).toEqual([MOVE])
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
  expect(keys).toEqual([keys[0], keys[0]])
  const { repeatable } = await import('./moving.ts')
  expect(repeatable().idempotencyKey).not.toBe(repeatable().idempotencyKey)
})

test.each([
  ['name_taken', { path: 'b/x.md' }],
  ['value_error', { path: 'b/x.md' }],
  ['value_error', {}],
  ['string_too_long', { max_length: 500 }],
])('why nothing was moved is said in the language of the console: %s %o', async (type, ctx) => {
  const { moveToFolder, moveProblem } = await inBrowser('de', [refusal(type, ctx)])
  const error = await moveToFolder('w', ['d1'], 'b', 'a').catch((reason: Error) => reason)
  const problem = moveProblem(error as Error)
  expect(problem).toMatch(/^Nichts verschoben: /)
  expect(problem).not.toContain('English')
  expect(problem?.includes('b/x.md')).toBe('path' in ctx)
})

test('a message that some documents were moved does not say that nothing was', async () => {
  const moves = Array.from({ length: MAX_MOVED_DOCUMENTS + 1 }, (_, index) => ({ ...MOVE, id: `d${index}` }))
  const { moveBack, moveProblem } = await inBrowser('de', [
    () => Response.json({ data: [] }),
    refusal('name_taken', { path: 'a/x.md' }),
  ])
  const error = await moveBack('w', moves, { folder: 'b', below: 'a' }).catch((reason: Error) => reason)
  expect(moveProblem(error as Error)).toBe(
    'Ein Teil der Dokumente wurde verschoben, der andere nicht: „a/x.md“ ist schon vergeben.',
  )
})
