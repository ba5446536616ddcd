import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type GroupGrant, parseGrants, splitNames } from './group-grants.ts'

const ID = '3f2504e0-4f89-41d3-9a0c-0305e82c3301'

test('a group gives the right of an administrator, or a role in a workspace by name or id', () => {
  expect(
    parseGrants(`kenning-admins=administrator, finance = Finance Reports:editor,/board=${ID}:viewer,`),
  ).toEqual([
    { group: 'kenning-admins', gives: 'administrator' },
    { group: 'finance', gives: { workspace: 'Finance Reports', role: 'editor' } },
    { group: '/board', gives: { workspace: ID, role: 'viewer' } },
  ])
  expect(parseGrants('a=administrator:viewer')).toEqual([
    { group: 'a', gives: { workspace: 'administrator', role: 'viewer' } },
  ])
  expect(parseGrants('a=Plan: B = C:owner')).toEqual([
    { group: 'a', gives: { workspace: 'Plan: B = C', role: 'owner' } },
  ])
  expect(parseGrants(' , ')).toEqual([])
})

test('commas, = and % in names are written as in a URL; other signs stand for themselves', () => {
  expect(parseGrants('CN%3DStaff%2COU%3DAll=Sales%2c North:viewer')).toEqual([
    { group: 'CN=Staff,OU=All', gives: { workspace: 'Sales, North', role: 'viewer' } },
  ])
  expect(splitNames('100% Club, a%252Cb,%41')).toEqual(['100% Club', 'a%2Cb', '%41'])
})

test.each([
  'staff',
  'staff=',
  '=administrator',
  'a=b',
  'a=b:reader',
  'a=:viewer',
  'a=b:Viewer',
  'a=Administrator',
  'a= :viewer',
])('%s is refused and named', (wrong) => {
  expect(parseGrants(`ok=administrator,${wrong}`)).toEqual({ wrong })
})

test('every name can be written', () => {
  const name = fc.string({ minLength: 1 }).filter((text) => text === text.trim())
  const encode = (text: string): string => text.replace(/[%,=]/g, encodeURIComponent)
  const gives = fc.oneof(
    fc.constant('administrator' as const),
    fc.record({
      workspace: name,
      role: fc.constantFrom('owner' as const, 'editor' as const, 'viewer' as const),
    }),
  )
  const written = ({ group, gives }: GroupGrant): string =>
    `${encode(group)}=${gives === 'administrator' ? gives : `${encode(gives.workspace)}:${gives.role}`}`
  fc.assert(
    fc.property(fc.array(fc.record({ group: name, gives })), (grants) => {
      expect(parseGrants(grants.map(written).join(','))).toEqual(grants)
    }),
  )
})
