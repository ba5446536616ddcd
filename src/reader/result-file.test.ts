// The pool reads what a child writes, whatever the text contains; a truncated file is no result.

import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { inFolder } from '../../test/support/files/parse.ts'
import { readResult, writeResult } from './result-file.ts'
import { cleanText } from './shared/blocks/clean.ts'

test('a document survives the way through the file', () =>
  inFolder(async (folder) => {
    const path = join(folder, 'result.jsonl')
    const text = fc.string({ unit: 'binary', maxLength: 60 }).map(cleanText)
    await fc.assert(
      fc.asyncProperty(fc.array(text, { maxLength: 20 }), text, async (texts, title) => {
        const document = {
          title,
          pages: 2,
          blocks: texts.map((each) => ({ kind: 'paragraph' as const, text: each, page: 1 })),
        }
        await writeResult(path, document)
        expect(await readResult(path)).toEqual(document)
      }),
      { numRuns: 30 },
    )
  }))

test('a cut or missing file is an error', () =>
  inFolder(async (folder) => {
    const path = join(folder, 'result.jsonl')
    await writeResult(path, {
      blocks: [
        { kind: 'paragraph', text: 'one' },
        { kind: 'paragraph', text: 'two' },
      ],
    })
    const lines = (await readFile(path, 'utf8')).split('\n')
    await writeFile(path, lines.slice(0, 2).join('\n'))
    await expect(readResult(path)).rejects.toThrow('incomplete')
    await expect(readResult(join(folder, 'none'))).rejects.toThrow()
  }))
