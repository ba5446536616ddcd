// Settings of assistants on a real disk: links, changes by others, copies.

import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { readSettings, replaceSettings, settingsPath } from './settings-file.ts'

const work = realpathSync(mkdtempSync(join(tmpdir(), 'kenning-settings-')))
afterAll(() => rmSync(work, { recursive: true, force: true }))
const project = join(work, 'project')
const path = join(work, 'settings.json')
beforeEach(() => {
  rmSync(project, { recursive: true, force: true })
  for (const one of [path, `${path}.before-kenning`]) rmSync(one, { force: true })
  mkdirSync(project)
})

test('settings of a folder are in it, whatever its links say; personal ones may be anywhere', async () => {
  const outside = join(work, 'profile')
  writeFileSync(outside, 'umask 022\n')
  symlinkSync(outside, join(project, 'config.toml'))
  symlinkSync(work, join(project, '.codex'))
  for (const name of ['config.toml', '.codex/profile', '.codex/new.toml', '.codex/a/new.toml'])
    await expect(settingsPath(join(project, name), project), name).rejects.toThrow('leads out of this folder')
  expect(await settingsPath(join(project, 'config.toml'), undefined)).toBe(outside)
  mkdirSync(join(project, 'real'))
  symlinkSync(join(project, 'real'), join(project, '.zed'))
  for (const name of ['.zed/settings.json', '.cursor/mcp.json', '.mcp.json'])
    expect(await settingsPath(join(project, name), project)).toBe(join(project, name))
})

test('a file that changed since it was read is left alone', async () => {
  writeFileSync(path, '{}')
  const oldText = await readSettings(path)
  writeFileSync(path, '{"denied": true}')
  const change = { oldText, newText: '{"kenning": 1}', isProject: false }
  await expect(replaceSettings(path, change)).rejects.toThrow('changed by another program')
  expect(readFileSync(path, 'utf8')).toBe('{"denied": true}')
})

test('the copy is private and the first one; settings of a folder have none', async () => {
  writeFileSync(path, 'first', { mode: 0o644 })
  const copy = await replaceSettings(path, { oldText: 'first', newText: 'second', isProject: false })
  expect([statSync(path).mode & 0o777, statSync(copy ?? '').mode & 0o777]).toEqual([0o644, 0o600])
  expect(
    await replaceSettings(path, { oldText: 'second', newText: 'third', isProject: false }),
  ).toBeUndefined()
  expect([readFileSync(path, 'utf8'), readFileSync(copy ?? '', 'utf8')]).toEqual(['third', 'first'])
  const shared = join(project, '.mcp.json')
  writeFileSync(shared, '{}')
  expect(
    await replaceSettings(shared, { oldText: '{}', newText: '{"a":1}', isProject: true }),
  ).toBeUndefined()
  expect(() => statSync(`${shared}.before-kenning`)).toThrow('ENOENT')
})
