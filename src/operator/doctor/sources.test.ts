import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { sourceChecks } from './sources.ts'

const place = (of: string) => ({ workspaceId: undefined, location: of })

test('folders and remotes of the settings that are not there are said, with what to do', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kenning-doctor-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const check = async (remotes: string[], PATH: string): Promise<string[]> => {
    const sources = { folders: [folder, join(folder, 'none')].map(place), remotes: remotes.map(place) }
    const found: string[] = []
    for await (const { status, message } of sourceChecks({ sources, programEnvironment: { PATH } }))
      found.push(`${status}: ${message}`)
    return found
  }
  const folders = [
    `ok: the folder ${folder} can be read`,
    expect.stringMatching(/^warning: The folder .*none cannot be read .*KENNING_SOURCE_FOLDERS/),
  ]
  expect(await check([], '')).toEqual(folders)
  expect(await check(['drive:Reports'], folder)).toEqual([
    ...folders,
    expect.stringMatching(/^warning: rclone does not run/),
  ])
  writeFileSync(join(folder, 'rclone'), '#!/bin/sh\necho drive:\n', { mode: 0o755 })
  expect(await check(['drive:Reports', 'other:'], `${folder}:${process.env.PATH}`)).toEqual([
    ...folders,
    'ok: rclone knows the remote drive:',
    expect.stringMatching(/^warning: rclone knows no remote other:/),
  ])
})
