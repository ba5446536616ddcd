// Imports as a worker runs them, without a worker.

import { mkdir, rm } from 'node:fs/promises'
import type { WorkDeps } from '../../src/app.ts'
import type { prepareInChild } from '../../src/archive/child.ts'
import { prepareArchive } from '../../src/archive/prepare.ts'
import type { WorkspaceImport } from '../../src/contract/archives.ts'
import type { TestApp } from './app.ts'
import type { Answered } from './contract.ts'
import { runTask } from './ingest.ts'
import { claimImport } from './rows.sql.ts'

/** What the child does, in this process: hundreds of archives would be hundreds of children. */
export const prepareHere: typeof prepareInChild = async ({ pieces, folder, copyId }, _bytes, { onShare }) => {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  return prepareArchive({ pieces, folder, copyId }, onShare)
}

/** Runs the imports that are due, one round after the other, until none is left. `db`: where tasks are claimed. */
export async function runImports(deps: WorkDeps, db = deps.db): Promise<void> {
  for (;;) {
    const task = await claimImport(db)
    if (!task) return
    await runTask(deps, task)
  }
}

const ZIP = { 'content-type': 'application/zip' }

export const sendArchive = (
  app: TestApp,
  token: string,
  payload: Buffer,
  { query = '', headers = {} }: { query?: string; headers?: Record<string, string> } = {},
): Promise<Answered> =>
  app.send('POST', `/v1/workspaces/import${query}`, token, { payload, headers: { ...ZIP, ...headers } })

/** Sends an archive, runs its task, and tells how it ended. */
export async function importArchive(
  app: TestApp,
  deps: WorkDeps,
  token: string,
  payload: Buffer,
  options: Parameters<typeof sendArchive>[3] = {},
): Promise<WorkspaceImport> {
  const answer = await sendArchive(app, token, payload, options)
  if (answer.status !== 202) throw new Error(`${answer.status}: ${answer.text}`)
  const { id } = answer.body as WorkspaceImport
  await runImports(deps)
  return stateOf(app, token, id)
}

export const stateOf = async (app: TestApp, token: string, id: string): Promise<WorkspaceImport> =>
  (await app.send('GET', `/v1/imports/${id}`, token)).body as WorkspaceImport

/** Those of the account that have not ended. */
export async function cancelImports(app: TestApp, token: string): Promise<void> {
  const { data } = (await app.send('GET', '/v1/imports', token)).body as { data: WorkspaceImport[] }
  for (const { id, finished_at: end } of data)
    if (end === null) await app.send('DELETE', `/v1/imports/${id}`, token)
}
