import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dangers } from '../../../test/support/dangers.ts'
import { runs } from '../../../test/support/full.ts'
import type { Passage } from '../../search/passage.ts'
import { verifyProse } from '../citations/prose.ts'
import { safeMarkdown } from './safe-markdown.ts'

const shown = (address: string): boolean => 'see https://example.org/a or ask@example.org'.includes(address)
const safe = (text: string): string => safeMarkdown(text, shown)

describe('safe markdown', () => {
  it.each([
    ['The rent is **£5** [1].\n\n- one [2]\n- two', 'The rent is **£5** [1].\n\n- one [2]\n- two'],
    ['| a | b |\n| - | - |\n| 1 | 2 |', '| a | b |\n| - | - |\n| 1 | 2 |'],
    ['![secret](https://evil.example/p.png?q=1)', 'secret'],
    ['See [the plan](https://evil.example/x) [1].', 'See the plan [1].'],
    ['See [1](https://evil.example/x).', 'See [1].'],
    ['Go to https://evil.example/?q=secret now', 'Go to (address removed) now'],
    ['Go to www.evil.example/?q=secret now', 'Go to (address removed) now'],
    ['Go to https://example.org/a now', 'Go to `https://example.org/a` now'],
    ['Write to ask@example.org.', 'Write to `ask@example.org`.'],
    ['Write to spy@evil.example.', 'Write to (address removed).'],
    ['<img src=x onerror=alert(1)>Hello', 'Hello'],
    ['[a]: https://evil.example/x\n\nSee [a].', 'See a.'],
    ['Hello[^1]\n\n[^1]: https://evil.example', 'Hello'],
    ['```mermaid\ngraph TD\n```', '```\ngraph TD\n```'],
    ['`https://evil.example` and `a[0](x) <b>`', '`(address removed)` and `a[0](x) <b>`'],
    ['<think>secret thoughts</think>Hello', 'Hello'],
    ['secret thoughts</think>Hello', 'Hello'],
    ['[x]【1】(javascript:alert(1))', '[x][1]'],
    ['So it is [Passage 2], [source 2, 3] and (Textstelle 4).', 'So it is [2], [2, 3] and [4].'],
    [
      '[D2], (see passage 2), \\[passage 2], [passage 2](x)',
      '[D2], (see passage 2), \\[passage 2], passage 2',
    ],
    ['5 < 6 & 7 > 2, a_b *c*', '5 < 6 & 7 > 2, a_b *c*'],
  ])('%s', (given, expected) => {
    expect(safe(given)).toBe(expected)
    expect(dangers(expected)).toEqual([])
  })

  it('leaves nothing that loads, links or runs, before or after citations are verified', () => {
    const pieces = [
      '[',
      ']',
      '(',
      ')',
      '!',
      '<',
      '>',
      '[1]',
      '[2',
      '【1】',
      '［2］',
      '【9†x】',
      '[^1]',
      '[Passage 1]',
      '(source 2',
      ':',
      ' ',
      '\n',
      '\n\n',
      '`',
      '```',
      '\\',
      'https://evil.example/?q=1',
      'www.evil.example',
      'spy@evil.example',
      'javascript:alert(1)',
      '/path',
      'data:text/html,x',
      '[a]: https://evil.example',
      '<img src=x>',
      '<a href="x">',
      '<!--',
      '-->',
      '![',
      '](',
      '][',
      '&#104;ttps://e.vil',
      '&colon;',
      'https&colon;//evil.example',
      'word',
      'The rent is £5',
      '*',
      '_',
      '|',
      '| - |',
      '> ',
      '- ',
      '\u200b',
      '<https://evil.example>',
      '~~',
    ]
    const passages = [passage('The rent is £5 a word.'), passage('Another word.')]
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 30 }), (parts) => {
        const clean = (part: string): string => safeMarkdown(part, () => false)
        expect(dangers(safe(parts.join('')))).toEqual([])
        expect(dangers(verifyProse(parts.join(''), { passages, clean }).answer)).toEqual([])
      }),
      { numRuns: runs(300) },
    )
  })
})

const passage = (text: string): Passage => ({
  chunk_id: text,
  document_id: 'd',
  document_title: 't',
  document_path: 'a.md',
  chunk_no: 0,
  type: 'text',
  text,
  heading: '',
  page: null,
  language: 'en',
  score: 1,
})
