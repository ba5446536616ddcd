// F-06: the file system of the database and of the files is full to the last byte while the service writes: what was acknowledged
// is there, nothing is an internal error, and once there is space it goes on by itself. Where a tmpfs, which is memory, can be
// mounted (root on Linux) and there is enough of it.

import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect } from 'vitest'
import type { Job, Workspace } from '../../src/contract/resources.ts'
import { makeClient } from '../support/client.ts'
import { templateDirectory } from '../support/database.ts'
import { FULL, thorough } from '../support/full.ts'
import { type Service, startService } from '../support/service.ts'

// Uploads are refused where less than a gigabyte is free.
const SIZE_MB = 1400
// Of memory, for the full file system and the service: with less, the kernel would end some process of this machine.
const MIN_FREE = 4 * 2 ** 30
const TIMES = 2
const FILES = 6

const place = mkdtempSync(join(tmpdir(), 'kenning-full-'))
const isRoomy = process.availableMemory() >= MIN_FREE
const canMount =
  FULL &&
  isRoomy &&
  spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE_MB}m`, 'kenning-full', place]).status === 0
const dataDir = join(place, 'data')
const ballast = join(place, 'ballast')
let service: Service

beforeAll(async () => {
  if (!canMount) return
  cpSync(await templateDirectory(), dataDir, { recursive: true })
  service = await startService({ dataDir })
})
afterAll(async () => {
  await service?.stop()
  if (canMount) execFileSync('umount', ['-l', place])
  rmSync(place, { recursive: true, force: true })
})

/** Takes all that is left, in pieces that become smaller. */
function fillUp(): void {
  const take = (bytes: number): boolean => {
    try {
      writeFileSync(ballast, Buffer.alloc(bytes), { flag: 'a' })
      return true
    } catch (error) {
      if ((error as { code?: string }).code === 'ENOSPC') return false
      throw error
    }
  }
  for (let bytes = 2 ** 24; bytes >= 4096; ) if (!take(bytes)) bytes /= 2
}

thorough(
  `F-06: a disk that is full while it writes, ${TIMES} times: refused with when to come again, and nothing is lost`,
  async ({ skip }) => {
    skip(!isRoomy, 'less than 4 GB of memory are free')
    skip(!canMount, 'no tmpfs can be mounted')
    const client = makeClient(service.base, service.token)
    const { id } = await client.post<Workspace>('/workspaces', { name: 'before' })
    const acknowledged: string[] = [id]
    const refused: number[] = []
    /** What it says to a new workspace, with names long enough that it soon needs another page. */
    const write = async (no: number): Promise<number> => {
      const body = { name: `w${no}`, description: `${no} `.repeat(500).slice(0, 1500) }
      const { status, headers, body: made } = await client.call<Workspace>('POST', '/workspaces', body)
      if (status === 201) acknowledged.push(made.id)
      else {
        expect([status, headers.has('retry-after')], JSON.stringify(made)).toEqual([503, true])
        refused.push(status)
      }
      return status
    }
    for (let time = 0; time < TIMES; time++) {
      const files = Array.from({ length: FILES }, (_, no) => ({
        name: `${time}x${no}.md`,
        bytes: `# Report ${time}x${no}\n\n${'Pump BW-1 feeds the basin of Halden. '.repeat(3000)}`,
      }))
      const job = await client.upload(id, files)
      const before = refused.length
      for (let no = 0; refused.length < before + 3; no++) {
        // Again: it may have given back some of its own.
        if (no % 20 === 0) fillUp()
        await write(no)
      }
      // Reads are answered, or the engine is being started again.
      const read = await client.call('GET', `/workspaces/${id}`)
      expect([200, 503]).toContain(read.status)
      const form = new FormData()
      form.append('files', new Blob(['Spring tide.']), 'late.txt')
      expect((await client.form<Job>(`/workspaces/${id}/files`, form)).status).toBe(503)
      rmSync(ballast)
      while ((await write(-1)) !== 201) await sleep(500)
      const { files: done } = await client.done(job.id)
      expect(new Set(done.map(({ status }) => status))).toEqual(new Set(['done']))
    }
    for (const workspace of acknowledged)
      expect((await client.get<Workspace>(`/workspaces/${workspace}`)).id).toBe(workspace)
    expect((await client.get<Workspace>(`/workspaces/${id}`)).document_count).toBe(TIMES * FILES)
  },
)
