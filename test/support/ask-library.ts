// An app with a workspace of files that the real parser has read, to ask questions about.

import { expect } from 'vitest'
import type { Job } from '../../src/contract/resources.ts'
import { openPool } from '../../src/reader/pool.ts'
import { bodyOf, type TestApp, testApp } from './app.ts'
import { drain, upload } from './ingest.ts'

export interface AskLibrary {
  app: TestApp
  token: string
  workspace: string
}

/** All files are read when it resolves. The caller closes the app. */
export async function askLibrary(name: string, files: Parameters<typeof upload>[3]): Promise<AskLibrary> {
  const app = await testApp({ askPerHour: 10_000 })
  const parser = openPool({ size: 1, cacheDir: app.deps.settings.dataDir, log: app.deps.log })
  const person = await app.person()
  const token = await app.token(person)
  const workspace = await app.workspace(person, name)
  const deps = { ...app.deps, parser }
  const { id } = await upload(deps, person, workspace, files)
  await drain(deps)
  const job = bodyOf<Job>(await app.send('GET', `/v1/jobs/${id}`, token))
  expect(job.files.filter(({ status }) => status !== 'done')).toEqual([])
  await parser.close()
  return { app, token, workspace }
}
