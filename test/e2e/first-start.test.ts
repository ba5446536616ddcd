// The first start: with a processor that is there only now and then, after one that was killed, and from the cluster that a build
// brings, which two installations share nothing of.

import type { ChildProcess } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { raw } from 'sql-template-tag'
import { expect, onTestFinished, test } from 'vitest'
import {
  CONTROL_FILE,
  checksumOffset,
  findArchive,
  unpackCluster,
} from '../../src/ports/db/embedded/cluster-archive.ts'
import { readMigrations } from '../../src/ports/db/migrations.ts'
import { openDb } from '../../src/ports/db/postgres.ts'
import { runningEngine } from '../support/database.ts'
import { processTree, startService } from '../support/service.ts'

const temporary = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'kenning-first-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Lets the process and its descendants run for a quarter of the time, until the service is ready. */
async function starve(child: ChildProcess, isOver: () => boolean): Promise<void> {
  const signal = (name: NodeJS.Signals) => {
    for (const { pid } of processTree(child.pid ?? 0)) {
      try {
        process.kill(pid, name)
      } catch {
        // It has ended meanwhile.
      }
    }
  }
  while (!isOver()) {
    signal('SIGSTOP')
    await sleep(150)
    signal('SIGCONT')
    await sleep(50)
  }
  signal('SIGCONT')
}

test('a first start that was killed is done by the next one, though its processor is taken away again and again', async () => {
  const dataDir = temporary()
  const killed = startService({
    dataDir,
    onSpawn: async (child) => {
      while (!existsSync(dataDir) || !readdirSync(dataDir).some((name) => name.startsWith('pg')))
        await sleep(5)
      child.kill('SIGKILL')
    },
  })
  await expect(killed).rejects.toThrow('the service ended')
  let isReady = false
  let starving = Promise.resolve()
  const service = await startService({
    dataDir,
    env: { KENNING_LOG_LEVEL: 'info' },
    onSpawn: (child) => {
      starving = starve(child, () => isReady)
    },
  })
  isReady = true
  await starving
  expect((await fetch(`${service.origin}/readyz`)).status).toBe(200)
  expect(readdirSync(dataDir).filter((name) => name.startsWith('pg'))).toEqual(['pg'])
  const db = openDb(runningEngine(dataDir), { max: 1, connectTimeoutMs: 0 })
  const [row] = await db.rows<{ n: number }>(raw('SELECT count(*)::int AS n FROM schema_migration'))
  await db.close()
  expect(row?.n).toBe(readMigrations().length)
  await service.remove()
})

test('a role whose supervisor ended before it looked for it ends too', async () => {
  const dataDir = temporary()
  // As the supervisor starts it, but without the channel to one.
  const env = { KENNING_CHILD: 'api', KENNING_WORKER_NAME: 'vm:1:orphan', KENNING_ENGINE_SOCKET: dataDir }
  await expect(startService({ dataDir, env })).rejects.toThrow('the service ended')
})

test('two databases of one build have an identity each', async () => {
  const archive = findArchive()
  if (!archive) throw new Error('dist/cluster is missing or of another state: build first')
  const folders = [join(temporary(), 'a'), join(temporary(), 'b')]
  for (const folder of folders) await unpackCluster(archive, folder)
  const [a, b] = folders.map((folder) => {
    const control = readFileSync(join(folder, CONTROL_FILE))
    const checksumAt = checksumOffset(control)
    const [log = ''] = readdirSync(join(folder, 'pg_wal')).filter((name) => /^[0-9A-F]{24}$/.test(name))
    const header = readFileSync(join(folder, 'pg_wal', log)).subarray(0, 40)
    expect(header.subarray(24, 32)).toEqual(control.subarray(0, 8))
    return { system: control.subarray(0, 8), nonce: control.subarray(checksumAt - 35, checksumAt - 3) }
  })
  expect(a?.system.equals(b?.system ?? Buffer.alloc(0))).toBe(false)
  expect(a?.nonce.equals(b?.nonce ?? Buffer.alloc(0))).toBe(false)
})

test('a damaged database of a build is not unpacked', async () => {
  const archive = findArchive()
  if (!archive) throw new Error('dist/cluster is missing or of another state: build first')
  const folder = temporary()
  cpSync(archive.folder, folder, { recursive: true })
  const data = join(folder, 'cluster.br')
  const bytes = readFileSync(data)
  const middle = bytes.length >> 1
  bytes.writeUInt8(255 - bytes.readUInt8(middle), middle)
  writeFileSync(data, bytes)
  await expect(unpackCluster({ ...archive, folder }, join(folder, 'pg'))).rejects.toThrow('is damaged')
})
