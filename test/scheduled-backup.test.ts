// scripts/scheduled-backup with a `kenning` that makes a folder: what it keeps and what it deletes. (Of real backups: test/e2e/backup.test.ts.)

import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'

const work = mkdtempSync(join(tmpdir(), 'kenning-scheduled-'))
const backups = join(work, 'backups')
afterAll(() => rmSync(work, { recursive: true, force: true }))

const DAY_MS = 24 * 3_600_000
function put(name: string, days: number, isWhole = true): void {
  mkdirSync(join(backups, name), { recursive: true })
  if (isWhole) writeFileSync(join(backups, name, 'manifest.json'), '{}')
  const at = new Date(Date.now() - days * DAY_MS)
  utimesSync(join(backups, name), at, at)
}

beforeEach(() => {
  rmSync(backups, { recursive: true, force: true })
  put('2026-11-01T023000', 29)
  put('2026-11-27T023000', 2)
  // Not made by it.
  put('2026-10-before-the-move', 60, false)
})

function run(verdict: { backup: number; verify: number }, ...args: string[]) {
  const program = `#!/bin/sh\n[ "$1" != backup ] || echo {} >"$2/manifest.json"\ncase $1 in backup) exit ${verdict.backup} ;; verify) exit ${verdict.verify} ;; esac\nexit 9\n`
  writeFileSync(join(work, 'kenning'), program, { mode: 0o755 })
  const { status, stderr } = spawnSync('scripts/scheduled-backup', [backups, ...args], {
    encoding: 'utf8',
    env: { PATH: `${work}:${process.env.PATH}` },
  })
  const names = readdirSync(backups).sort()
  const made = names.filter(
    (name) => !['2026-11-01T023000', '2026-11-27T023000', '2026-10-before-the-move'].includes(name),
  )
  return { status, stderr, names, made }
}

test('a good backup is kept, and what is older than the days goes, but for what is not its own', () => {
  const { status, names, made } = run({ backup: 0, verify: 0 }, '7')
  expect(status).toBe(0)
  expect(made).toEqual([expect.stringMatching(/^\d{4}-\d\d-\d\dT\d{6}$/)])
  expect(names).toEqual(['2026-10-before-the-move', '2026-11-27T023000', ...made])
})

test.each([
  ['that fails', { backup: 1, verify: 0 }],
  ['that is not complete', { backup: 0, verify: 1 }],
])('a backup %s goes, and older ones stay', (_, verdict) => {
  const { status, stderr, names, made } = run(verdict, '7')
  expect([status, made]).toEqual([1, []])
  expect(stderr).toContain('is not a good backup')
  expect(names).toContain('2026-11-01T023000')
})

test('0 days keep all', () => {
  expect(run({ backup: 0, verify: 0 }, '0').names).toContain('2026-11-01T023000')
})

test('half of a backup goes, unless one that is under way elsewhere may write it', () => {
  put('2026-11-20T023000', 10, false)
  put('2026-11-29T023000', 0, false)
  const { names } = run({ backup: 0, verify: 0 }, '0')
  expect(names).toEqual(expect.arrayContaining(['2026-11-01T023000', '2026-11-29T023000']))
  expect(names).not.toContain('2026-11-20T023000')
})

test.each(['-1', 'week'])('%s days are refused, and nothing is deleted', (days) => {
  const { status, names } = run({ backup: 0, verify: 0 }, days)
  expect([status, names.length]).toEqual([2, 3])
})
