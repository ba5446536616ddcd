// `kenning read` prints the same text in the same order as the service stores.

import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DocumentContent, Job, Workspace } from '../../src/contract/resources.ts'
import { chunksOf } from '../../src/ingest/chunk/chunk.ts'
import type { ParsedDocument } from '../../src/reader/block.ts'
import { type Client, makeClient } from '../support/client.ts'
import { FULL } from '../support/full.ts'
import { installedMain } from '../support/installed.ts'
import { type SharedService, sharedService } from '../support/shared-service.ts'

// Scans take most of the time; the gate reads what has a text.
const names = readdirSync('examples').filter(
  (name) => name !== 'README.md' && (FULL || !/photo|scan/.test(name)),
)
interface Ended {
  status: number
  stdout: string
  stderr: string
}
// Not in step: a connection that nobody listens to for a minute is closed.
const kenning = (...args: string[]): Promise<Ended> =>
  new Promise((resolve) => {
    const command = [installedMain(), 'read', ...args]
    execFile(process.execPath, command, { maxBuffer: 2 ** 27 }, (error, stdout, stderr) =>
      resolve({ status: Number(error?.code ?? 0), stdout, stderr }),
    )
  })

let service: SharedService
let client: Client
let workspace: Workspace
beforeAll(async () => {
  service = await sharedService()
  client = makeClient(service.base, service.token)
  workspace = await client.post<Workspace>('/workspaces', { name: 'Examples' })
})
afterAll(() => service?.leave())

async function stored(documentId: string): Promise<string[]> {
  const texts: string[] = []
  let cursor: string | null | undefined = null
  do {
    const more: string = !cursor ? '' : `?cursor=${encodeURIComponent(cursor)}`
    const content: DocumentContent = await client.get<DocumentContent>(
      `/workspaces/${workspace.id}/documents/${documentId}${more}`,
    )
    texts.push(...content.chunks.map(({ text }) => text))
    cursor = content.next_cursor
  } while (cursor)
  return texts
}

// Scans are read twice over: a quarter of a minute where the machine is quiet, four minutes at a load of twelve.
test('on the examples, file by file', async () => {
  const parts = names.map((name) => ({ name, bytes: readFileSync(`examples/${name}`) }))
  const job = await client.upload(workspace.id, parts)
  await client.done(job.id)
  const { files } = await client.get<Job>(`/jobs/${job.id}`)
  const { status, stdout, stderr } = await kenning('--json', ...names.map((name) => `examples/${name}`))
  expect(stderr).toBe('')
  expect(status).toBe(0)
  const read = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as ParsedDocument & { file: string })
  expect(read.map(({ file }) => basename(file))).toEqual(names)
  for (const document of read) {
    const { document_id: id = '' } = files.find(({ filename }) => filename === basename(document.file)) ?? {}
    expect(
      [...chunksOf(id, document)].map(({ text }) => text),
      document.file,
    ).toEqual(await stored(id))
  }
})

test('Markdown of readable files, the reason for unreadable ones, and invalid arguments', async () => {
  const some = await kenning('examples/staff-handbook.md', 'examples/absent.pdf')
  expect(some.status).toBe(1)
  expect(some.stdout).toContain('## Who does what')
  expect(some.stderr).toBe('examples/absent.pdf: There is no such file.\n')
  const wrong = await kenning()
  expect(wrong.status).toBe(2)
  expect(wrong.stderr).toContain('kenning read FILE')
})

test('a closed pipe, as head leaves it, is no error', async () => {
  const reading = spawn(process.execPath, [installedMain(), 'read', 'examples/staff-handbook.md'])
  reading.stdout.destroy()
  const [complaints, [code]] = await Promise.all([text(reading.stderr), once(reading, 'exit')])
  expect({ code, complaints }).toEqual({ code: 0, complaints: '' })
})
