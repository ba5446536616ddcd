import { afterEach, expect, test, vi } from 'vitest'
import { reasonSentence } from '../../../src/reader/reasons.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

test('each reason of the service is told in the language of the console; another text stays as it is', async () => {
  vi.stubGlobal('navigator', { languages: ['de'] })
  vi.stubGlobal('document', { documentElement: { lang: '' } })
  vi.resetModules()
  const { loadCatalogue } = await import('../language/text.tsx')
  const { reasonText } = await import('./reason-text.ts')
  await loadCatalogue()
  for (const sentence of Object.values(reasonSentence)) expect(reasonText(sentence)).not.toBe(sentence)
  expect(reasonText(reasonSentence.empty)).toMatch(/^Die Datei ist leer\./)
  expect(reasonText(reasonSentence.unsupported)).not.toContain('Save it')
  expect(reasonText('Berth 4 is taken.')).toBe('Berth 4 is taken.')
})
