import { expect, test } from 'vitest'
import { scopeName } from './kinds.ts'

test('kinds of files that share a name are told apart by their endings', () => {
  const scopes = ['kind:doc', 'kind:docx', 'kind:email', 'kind:msg', 'kind:pdf', 'folder:Word']
  expect(scopes.map((scope) => scopeName(scope, scopes))).toEqual([
    'Word .doc',
    'Word .docx',
    'E-mail .eml',
    'E-mail .msg',
    'PDF',
    'Folder Word',
  ])
  expect(scopeName('kind:docx', ['kind:docx', 'kind:pdf'])).toBe('Word')
})
