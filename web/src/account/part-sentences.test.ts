import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { PartHealth } from '../../../src/contract/health.ts'

const disk: PartHealth = {
  check: 'disk',
  status: 'warning',
  message: 'only 1.1 GB free on heron: make room, or move the data folder',
  sentences: [{ type: 'little_space_on_machine', values: { bytes: 1.1e9, machine: 'heron' } }],
}

// The unit tests share one module registry, and the language is chosen when the module is loaded.
beforeEach(() => {
  vi.resetModules()
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

test('what the service says about a part is shown in the language of the reader', async () => {
  vi.stubGlobal('localStorage', { getItem: () => 'de' })
  vi.stubGlobal('document', { documentElement: {} })
  const { loadCatalogue } = await import('../language/text.tsx')
  await loadCatalogue()
  const { partText } = await import('./part-sentences.ts')
  expect(partText(disk)).toBe('nur 1,1 GB frei auf heron: Platz schaffen oder den Datenordner verlegen')
  const reported = { type: 'reported', values: { reason: 'tesseract 5.5' } } as const
  expect(partText({ ...disk, sentences: [...disk.sentences, reported] })).toMatch(/; tesseract 5\.5$/)
})

test('in English it is the message of the service', async () => {
  const { partText } = await import('./part-sentences.ts')
  expect(partText(disk)).toBe(disk.message)
})
