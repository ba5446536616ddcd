import { afterEach, expect, test, vi } from 'vitest'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

/** The modules as they are loaded in a browser with this language. */
async function inBrowser(locale: string) {
  vi.stubGlobal('navigator', { languages: [locale] })
  vi.resetModules()
  vi.stubGlobal('document', { documentElement: { lang: '' } })
  const { loadCatalogue } = await import('./text.tsx')
  const { errorText } = await import('./error-text.ts')
  await loadCatalogue()
  const { KenningError } = await import('../../../src/client/client.ts')
  return { errorText, KenningError }
}

test('in English an error is the message of the service', async () => {
  const { errorText, KenningError } = await inBrowser('en-GB')
  expect(errorText(new KenningError(404, 'not_found', 'No such entity.'))).toBe('No such entity.')
  expect(errorText(new KenningError(422, 'invalid_request', 'name: is empty.'))).toBe('name: is empty.')
})

test('in another language it is a sentence for the type, with the message where it says what to do', async () => {
  const { errorText, KenningError } = await inBrowser('de-AT')
  const notFound = errorText(new KenningError(404, 'not_found', 'No such entity.'))
  expect(notFound).not.toContain('No such entity.')
  expect(notFound).not.toBe(errorText(new KenningError(0, 'unreachable', 'No such entity.')))
  expect(notFound).toMatch(/^Nicht gefunden\./)
  const invalid = errorText(new KenningError(422, 'invalid_request', 'name: is empty.'))
  expect(invalid).toMatch(/^.{9,} \(name: is empty\.\)$/)
})

test('a type that is not in the list keeps its message, as do errors of the console itself', async () => {
  const { errorText, KenningError } = await inBrowser('de')
  expect(errorText(new KenningError(418, 'teapot', 'I am a teapot.'))).toBe('I am a teapot.')
  expect(errorText(new Error('Bitte warten.'))).toBe('Bitte warten.')
  expect(errorText(null)).toBeUndefined()
})
