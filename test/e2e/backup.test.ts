// The commands: a backup of a running service, restored to an empty folder, from which the service starts again. What a backup
// holds is tested in test/api/backup.test.ts.

import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished } from 'vitest'
import type { Document, Page, Workspace } from '../../src/contract/resources.ts'
import { makeClient } from '../support/client.ts'
import { thorough } from '../support/full.ts'
import { startService } from '../support/service.ts'

const run = promisify(execFile)

thorough(
  'F-19: backup while the service runs, verify, restore, start: the same sign-in, the same workspace',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'kenning-backup-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const kenning = async (dataDir: string, ...args: string[]) => {
      const env = { PATH: process.env.PATH, HOME: folder, KENNING_DATA_DIR: dataDir }
      return (await run(process.execPath, ['dist/src/main.js', ...args], { env })).stdout
    }
    const first = await startService()
    onTestFinished(() => first.remove())
    const headers = { authorization: `Bearer ${await first.token()}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ name: 'Contracts' })
    const made = await fetch(`${first.base}/workspaces`, { method: 'POST', headers, body })
    const { id } = (await made.json()) as { id: string }
    // F-19: acknowledged, and still being read when the backup is written.
    const client = makeClient(first.base, first.token)
    const names = Array.from({ length: 12 }, (_, no) => `Clause ${no}`)
    const long = 'The tenant repairs what the tenant broke. '.repeat(2000)
    const files = names.map((name) => ({ name: `${name}.md`, bytes: `# ${name}\n\n${long}` }))
    const job = await client.upload(id, files)

    const backup = join(folder, 'backup')
    expect(await kenning(first.dataDir, 'backup', backup)).toMatch(/rows of \d+ tables and 12 files/)
    expect(await kenning(first.dataDir, 'verify', backup)).toMatch(/is whole/)
    const restored = join(folder, 'data')
    await expect(kenning(first.dataDir, 'restore', backup)).rejects.toThrow(/Kenning is running on/)
    await kenning(restored, 'restore', backup)
    await first.stop()

    const second = await startService({ dataDir: restored })
    onTestFinished(() => second.remove())
    const found = await fetch(`${second.base}/workspaces/${id}`, {
      headers: { authorization: `Bearer ${await second.token()}` },
    })
    expect(await found.json()).toMatchObject({ id, name: 'Contracts' })
    const again = makeClient(second.base, second.token)
    const { files: read } = await again.done(job.id)
    expect(new Set(read.map(({ status }) => status))).toEqual(new Set(['done']))
    await again.ready(id)
    const { data } = await again.get<Page<Document>>(`/workspaces/${id}/documents?limit=200`)
    expect(data.map(({ title }) => title).sort()).toEqual([...names].sort())
    const { document_count } = await again.get<Workspace>(`/workspaces/${id}`)
    expect(document_count).toBe(names.length)
  },
)
