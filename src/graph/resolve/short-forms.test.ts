import { describe, expect, test } from 'vitest'
import { reasonFor } from '../merge-candidates.ts'
import type { SurfaceCount } from './canonical.ts'
import { expansionOf, isShortKey, type ShortForm } from './short-forms.ts'

const part = (id: string, surface: string, type: string, own: boolean): SurfaceCount => ({
  id,
  surface,
  type,
  own,
  mentions: 1,
})
const long = (key: string, type = 'organization') => ({
  id: key,
  key,
  surfaceCounts: [part(key, key, type, true)],
})
const short = (key: string, longs: ShortForm['expansions'], more: Partial<ShortForm> = {}): ShortForm => ({
  id: key,
  key,
  surfaceCounts: [part(key, key.toUpperCase(), 'organization', true)],
  expansions: longs,
  decisions: [],
  ...more,
})
const health = long('world health organization')

describe('a short form merges', () => {
  test('into its only expansion', () => {
    expect(expansionOf(short('who', [health]))).toMatchObject({ id: health.id })
    const untyped = { surfaceCounts: [part('who', 'WHO', 'other', true)] }
    expect(expansionOf(short('who', [health], untyped))).toMatchObject({ id: health.id })
  })

  test.each<[string, ShortForm]>([
    ['not when two things explain it', short('who', [health, long('western harbour office')])],
    ['not when nothing does', short('who', [])],
    ['not when it stands nowhere by itself', short('who', [health], { surfaceCounts: [] })],
    ['not into another type', short('who', [long('world health organization', 'person')])],
    ['not when digits differ', short('a4', [long('area 5')])],
    ['not a surname in capitals', short('marsh', [long('peter marsh', 'organization')])],
    ['not into a single word', short('xml', [long('extensiblemarkup')])],
    [
      'not when a person merged it elsewhere',
      short('who', [health], { decisions: [{ from_id: 'who', into_id: 'x', state: 'manual' }] }),
    ],
    [
      'not when a person undid it',
      short('who', [health], { decisions: [{ from_id: 'who', into_id: health.id, state: 'undone' }] }),
    ],
  ])('%s', (_, form) => {
    expect(expansionOf(form)).toBeUndefined()
  })

  test('also when a person undid another merge', () => {
    const decided = [{ from_id: 'who', into_id: 'x', state: 'undone' }]
    expect(expansionOf(short('who', [health], { decisions: decided }))).toBeDefined()
  })
})

test('short keys are letters and digits, at least two letters', () => {
  expect(['who', 'g20x', 'r2d2'].every(isShortKey)).toBe(true)
  expect(['w', '2020', 'q3', 'world health', 'zürich'].some(isShortKey)).toBe(false)
})

describe('likeness', () => {
  const of = (key: string, type = 'other') => ({ key, type })
  test.each([
    ['ingrid solheim', 'ingrid solhiem', 'spelling'],
    ['world health organization', 'who', 'initials'],
    ['solheim', 'ingrid solheim', 'part'],
    ['tidewick pumps', 'aldermouth', undefined],
    ['report 2020', 'report 2021', undefined],
    ['leeds', 'leed s 9', undefined],
  ])('%s and %s: %s', (a, b, reason) => {
    expect(reasonFor(of(a), of(b))).toBe(reason)
    expect(reasonFor(of(b), of(a))).toBe(reason)
  })
  test('types that differ are no candidates', () => {
    expect(reasonFor(of('solheim', 'person'), of('solheim', 'location'))).toBeUndefined()
  })
})
