// What the check tells of an archive is what it has counted, not what the archive says of itself.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { archiveOf, type Contents, documentOf, hashOf } from '../../test/support/archives.ts'
import { PART_NAMES, partFile } from './format.ts'
import { type PreparedArchive, prepareArchive } from './prepare.ts'
import { BadArchive } from './zip.ts'

const folder = mkdtempSync(join(tmpdir(), 'kenning-prepare-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function prepared(contents: Contents): Promise<PreparedArchive> {
  const piece = join(folder, 'piece')
  writeFileSync(piece, await archiveOf(contents))
  return prepareArchive({ pieces: [piece], folder, copyId: null })
}

const { document, version, originals } = documentOf('a.md', '# A\n\nThe berth is free.\n')
const rows = { documents: [document], versions: [version] }
const documents = Buffer.from(`${JSON.stringify(document)}\n`)
const versions = Buffer.from(`${JSON.stringify(version)}\n`)

const named = (name: string, rows: number, bytes: Buffer) => ({
  name,
  rows,
  bytes: bytes.length,
  sha256: hashOf(bytes),
})
const files = PART_NAMES.map((part) =>
  part === 'documents'
    ? named('documents.jsonl', 1, documents)
    : part === 'versions'
      ? named('versions.jsonl', 1, versions)
      : named(partFile(part), 0, Buffer.alloc(0)),
)

test('a manifest that names a file twice, or one that is none of the format, is refused', async () => {
  expect((await prepared({ rows, originals, manifest: { files } })).lines.documents).toBe(1)
  for (const claim of [2_000_000_000, 0]) {
    const twice = { files: [named('documents.jsonl', claim, documents), ...files] }
    await expect(prepared({ rows, originals, manifest: twice })).rejects.toEqual(
      new BadArchive('manifest.json: documents.jsonl is in it twice'),
    )
  }
  const more = { files: [...files, named('users.jsonl', 0, Buffer.alloc(0))] }
  await expect(prepared({ rows, originals, manifest: more })).rejects.toEqual(
    new BadArchive('manifest.json: users.jsonl is no file of such an archive'),
  )
})

test('lines and originals are those that were counted', async () => {
  const { lines, originals: counted } = await prepared({
    rows,
    originals,
    manifest: { originals: { files: 999_999, bytes: 1 } },
  })
  expect(lines).toEqual({
    ...Object.fromEntries(PART_NAMES.map((part) => [part, 0])),
    documents: 1,
    versions: 1,
  })
  expect(counted).toEqual({ files: 1, bytes: Object.values(originals)[0]?.length })
})

test('an archive of a later format is told as such, whatever that has in its manifest', async () => {
  const later = { version: 2, workspace: { names: ['A'] }, files: {} }
  await expect(prepared({ manifest: later })).rejects.toThrow(/was made by a later version of Kenning/)
  await expect(prepared({ manifest: { ...later, format: 'zip' } })).rejects.toThrow(/format/)
  await expect(prepared({ manifest: { version: '2' } })).rejects.toThrow(/version/)
})
