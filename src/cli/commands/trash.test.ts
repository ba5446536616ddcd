import { expect, test } from 'vitest'
import type { TrashedDocument } from '../../contract/trash.ts'
import { CommandFailed } from '../failure.ts'
import { onlyMatch } from './trash.ts'

const trashed = (no: number, title: string): TrashedDocument => ({
  id: `00000000-0000-4000-8000-00000000000${no}`,
  document_id: `00000000-0000-4000-8000-00000000001${no}`,
  title,
  filename: `notes/${no}.md`,
  kind: 'markdown',
  bytes: 1,
  trashed_by: '00000000-0000-4000-8000-000000000020',
  trashed_at: '2026-01-02T03:04:05.000Z',
  expires_at: '2026-02-01T03:04:05.000Z',
})

test('what is deleted for good is named by one title only; of several the ids are printed', () => {
  const [first, second, other] = [trashed(1, 'Note'), trashed(2, 'note'), trashed(3, 'Other')]
  const documents = [first, second, other]
  expect(onlyMatch(documents, 'OTHER')).toBe(other)
  expect(onlyMatch(documents, second.id)).toBe(second)
  const error = (() => {
    try {
      return onlyMatch(documents, 'Note')
    } catch (thrown) {
      return thrown
    }
  })()
  expect(error).toBeInstanceOf(CommandFailed)
  expect(error).toMatchObject({ exitCode: 2 })
  for (const { id } of [first, second]) expect((error as Error).message).toContain(id)
  expect(() => onlyMatch(documents, 'Nothing')).toThrow('is not in the trash')
})
