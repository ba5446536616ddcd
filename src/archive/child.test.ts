// A child that was taken over by an archive says what it likes; its parent goes on.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { program } from '../../test/support/program.ts'
import { prepareInChild } from './child.ts'
import { BadArchive } from './zip.ts'

const folder = mkdtempSync(join(tmpdir(), 'kenning-child-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const prepared = { workspaceId: 'x', workspace: {}, lines: { documents: 2_000_000_000 }, originals: {} }

const answers = [5, 'x', null, true, [], {}, { share: 'x' }, { bad: 1 }, { prepared: null }, { prepared }]

test.each(answers.map((answer) => ({ answer })))(
  '$answer is the archive’s fault, and ends the child',
  async ({ answer: message }) => {
    const piece = join(folder, 'piece')
    writeFileSync(piece, 'x')
    const shares: number[] = []
    const says = [{ share: -1 }, { share: 7 }, { share: Number.NaN }, message, { share: 0.5 }]
    const answer = prepareInChild(
      { pieces: [piece], folder: join(folder, 'child', 'own'), copyId: JSON.stringify(says) },
      1,
      {
        signal: new AbortController().signal,
        onShare: (share) => shares.push(share),
        program: fileURLToPath(program('taken-over')),
      },
    )
    await expect(answer).rejects.toEqual(new BadArchive('its check gave an answer that is none'))
    expect(shares).toEqual([0, 1, 0])
  },
)
