// A small world for the permission matrix: people in every relation to a workspace, and what a workspace holds.

import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { insertAccount } from '../../src/accounts/accounts.sql.ts'
import { insertKey } from '../../src/accounts/keys.sql.ts'
import { insertQuestion } from '../../src/ask/threads/evaluation.sql.ts'
import { upsertFeedback } from '../../src/ask/threads/feedback.sql.ts'
import { shareThread } from '../../src/ask/threads/threads.sql.ts'
import type { Role } from '../../src/auth/caller.ts'
import type { EndpointId } from '../../src/contract/endpoints.ts'
import { endpoints } from '../../src/contract/endpoints.ts'
import { upsertScope } from '../../src/documents/scopes.sql.ts'
import { insertTrashed } from '../../src/ingest/trash.sql.ts'
import type { StagedFile } from '../../src/ports/blobs/blobs.ts'
import { pagesFolder } from '../../src/ports/cache/disk-cache.ts'
import { insertSource } from '../../src/sources/sources.sql.ts'
import { insertWebhook } from '../../src/webhooks/webhooks.sql.ts'
import { ABSENT, type Person, type Sending, type TestApp } from './app.ts'
import { archiveOf } from './archives.ts'
import {
  insertDocument,
  insertEntity,
  insertJob,
  insertMerged,
  insertReplaced,
  insertThreadOf,
} from './rows.sql.ts'

/** The ids of one of each thing in a workspace. */
export interface Contents {
  workspace_id: string
  document_id: string
  /** One that was replaced. */
  version_id: string
  entity_id: string
  merged_id: string
  other_id: string
  job_id: string
  import_id: string
  scope_name: string
  user_id: string
  page: string
  /** Of the owner's own. */
  thread_id: string
  turn_number: string
  /** Saved by the owner. */
  question_id: string
  source_id: string
  webhook_id: string
  /** A document in the trash. */
  trash_id: string
}

export const absent: Contents = {
  workspace_id: ABSENT,
  document_id: ABSENT,
  version_id: '0'.repeat(64),
  entity_id: ABSENT,
  merged_id: ABSENT,
  other_id: ABSENT,
  job_id: ABSENT,
  import_id: ABSENT,
  scope_name: 'absent',
  user_id: ABSENT,
  page: '1',
  thread_id: ABSENT,
  turn_number: '1',
  question_id: ABSENT,
  source_id: ABSENT,
  webhook_id: ABSENT,
  trash_id: ABSENT,
}

/** One original for all documents, kept once an app. */
const originals = new WeakMap<TestApp, Promise<StagedFile>>()

async function keepOriginal({ deps }: TestApp, text = 'Harbour rules.\n'): Promise<StagedFile> {
  const stagedFile = await deps.blobs.stage(Readable.from([Buffer.from(text)]), 1000)
  await deps.blobs.keep(stagedFile)
  return stagedFile
}

/** A member of every furnished workspace, for whom nobody else in the tests stands. */
const GUEST = 'guest@example.org'
const guests = new WeakMap<TestApp, Promise<string>>()

async function makeGuest({ deps }: TestApp): Promise<string> {
  const id = randomUUID()
  await insertAccount(deps.db, { id, email: GUEST, emailKey: GUEST, passwordHash: undefined, admin: false })
  return id
}

/**
 * A workspace of `owner` with a document (its first page drawn already, and a version that was replaced), an entity with another name, a scope, a
 * finished job, and a thread of the owner's.
 */
export async function furnish(
  app: TestApp,
  owner: Person,
  members: Partial<Record<Role, Person>> = {},
): Promise<Contents> {
  const { db } = app.deps
  const workspaceId = await app.workspace(owner, 'Furnished')
  for (const [role, person] of Object.entries(members) as [Role, Person][]) {
    await app.member(workspaceId, person, role)
  }
  const [documentId, entityId, mergedId, otherId] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()]
  const jobId = randomBytes(16).toString('hex')
  const original = originals.get(app) ?? keepOriginal(app)
  originals.set(app, original)
  const { hash } = await original
  const document = { workspaceId, id: documentId, versionId: randomUUID(), title: 'Harbour rules' }
  await insertDocument(db, { ...document, path: 'rules/harbour.md', hash })
  const replacement = await keepOriginal(app, `Harbour rules of ${documentId}.\n`)
  await insertReplaced(db, workspaceId, documentId, replacement)
  await app.deps.cache.put(`${pagesFolder(workspaceId, hash)}/1.png`, Buffer.from('a picture'))
  const scope = `chosen ${entityId}`
  await upsertScope(db, workspaceId, { name: scope, description: '', documentIds: [documentId], folders: [] })
  await insertEntity(db, workspaceId, entityId, 'Harbour Office')
  await insertMerged(db, workspaceId, mergedId, entityId)
  await insertEntity(db, workspaceId, otherId, 'Harbour Master')
  await insertJob(db, { workspaceId, id: jobId, createdBy: owner.id, documentId, status: 'done' })
  const ids = {
    workspace_id: workspaceId,
    document_id: documentId,
    entity_id: entityId,
    merged_id: mergedId,
    other_id: otherId,
  }
  const guest = guests.get(app) ?? makeGuest(app)
  guests.set(app, guest)
  await app.member(workspaceId, { id: await guest, email: GUEST }, 'viewer')
  const thread = await insertThreadOf(db, workspaceId, `user:${owner.id}`, {
    documentId,
    chunkId: document.versionId,
  })
  await shareThread(db, { workspaceId, principal: `user:${owner.id}` }, thread, true)
  await upsertFeedback(
    db,
    { workspaceId, threadId: thread, number: 1, principal: `user:${owner.id}` },
    { verdict: 'helped', note: '' },
  )
  const questionId = randomUUID()
  const question = {
    id: questionId,
    principal: `user:${owner.id}`,
    query: 'harbour',
    documentId,
    chunkId: null,
  }
  await insertQuestion(db, workspaceId, question, 1)
  const sourceId = await addSource(app, workspaceId, owner)
  const webhookId = randomUUID()
  const webhook = {
    id: webhookId,
    url: 'https://example.org/hook',
    secret: Buffer.alloc(1),
    createdBy: owner.id,
  }
  await insertWebhook(db, workspaceId, webhook)
  const names = {
    source_id: sourceId,
    webhook_id: webhookId,
    question_id: questionId,
    job_id: jobId,
    import_id: ABSENT,
    trash_id: await addTrashed(app, workspaceId, owner),
    scope_name: scope,
    user_id: await guest,
  }
  return { ...ids, ...names, version_id: replacement.hash, page: '1', thread_id: thread, turn_number: '1' }
}

/** A document in the trash, with its file. */
async function addTrashed(app: TestApp, workspaceId: string, { id }: Person): Promise<string> {
  const file = await keepOriginal(app, `Rules in the trash of ${workspaceId}.\n`)
  const document = { path: 'old/rules.md', uploaded_as: null, title: 'Old rules', title_key: 'old rules' }
  const times = { uploaded_at: new Date(), created_at: new Date() }
  const entry = {
    id: randomUUID(),
    ...document,
    ...times,
    kind: 'markdown',
    content_hash: file.hash,
    scopes: [],
  }
  const [trashId = ''] = await insertTrashed(
    app.deps.db,
    workspaceId,
    { documents: [entry], versions: [] },
    id,
  )
  return trashId
}

/** A source of web pages that no test runs. */
export async function addSource(
  { deps }: Pick<TestApp, 'deps'>,
  workspaceId: string,
  { id: actsAs }: Pick<Person, 'id'>,
): Promise<string> {
  const id = randomUUID()
  await insertSource(deps.db, workspaceId, {
    id,
    name: 'handbook',
    kind: 'web',
    addresses: ['https://example.org/handbook'],
    branch: null,
    into_folder: '',
    include: [],
    exclude: [],
    credentials: null,
    every_minutes: 60,
    acts_as: actsAs,
  })
  return id
}

/** An API key of the person for these workspaces, whatever the person's role in them. */
export async function keyOf(app: TestApp, person: Person, workspaceIds: string[]): Promise<string> {
  const secret = `ken_mcp_${randomBytes(32).toString('base64url')}`
  const hash = createHash('sha256').update(secret).digest()
  const row = { id: randomUUID(), accountId: person.id, hash, lastFour: secret.slice(-4), name: 'a key' }
  await insertKey(app.deps.db, { ...row, workspaceIds, expiresAt: undefined })
  return secret
}

const emptyArchive = await archiveOf({ workspaceId: ABSENT })

/** With an id of its own, as the id of a workspace can be used only once. */
function withNewName(archive: Buffer): Buffer {
  const copy = Buffer.from(archive)
  copy.write(randomUUID(), copy.indexOf(ABSENT))
  return copy
}

/** The path of a row with these ids. */
export const pathOf = (id: EndpointId, ids: Contents): string =>
  `/v1${endpoints[id].path.replace(/\{(\w+)\}/g, (_, name: keyof Contents) => encodeURIComponent(ids[name]))}`

/** The smallest request each row accepts. */
export function validBody(id: EndpointId, ids: Pick<Contents, 'document_id' | 'trash_id'> = absent): Sending {
  const bodies: Partial<Record<EndpointId, unknown>> = {
    createWorkspace: { name: 'New' },
    updateWorkspace: { description: 'changed' },
    search: { query: 'harbour' },
    inspectSearch: { query: 'harbour' },
    moveDocuments: { document_ids: [ids.document_id], folder: 'archive' },
    moveFolder: { folder: 'rules', to: 'archive' },
    trashDocuments: { document_ids: [ids.document_id] },
    restoreDocuments: { trash_ids: [ids.trash_id] },
    dismissFailedFiles: { filenames: ['report.pdf'] },
    listChunkPlaces: { chunk_ids: ['3f2504e0-4f89-41d3-9a0c-0305e82c3301'] },
    putMember: { email: GUEST, role: 'editor' },
    putScope: { folders: ['rules'] },
    changeScope: { remove: [ids.document_id] },
    ask: { question: 'Who wrote the harbour rules?' },
    checkText: { text: 'The harbour office wrote the harbour rules.' },
    updateThread: { title: 'Harbour' },
    createEvaluationQuestion: { query: 'harbour', document_id: ids.document_id },
    putFeedback: { verdict: 'wrong' },
    createSource: { kind: 'web', addresses: ['https://example.org/'] },
    updateSource: { paused: true },
    runSource: {},
    createWebhook: { url: 'https://example.org/' },
    updateWebhook: { paused: true },
  }
  if (id === 'uploadFiles') return multipart([{ name: 'note.md', text: `# Note\n\n${randomUUID()}\n` }])
  if (id === 'importWorkspace')
    return { payload: withNewName(emptyArchive), headers: { 'content-type': 'application/zip' } }
  return bodies[id] === undefined ? {} : { body: bodies[id] }
}

export interface FilePart {
  name: string
  text: string
  field?: string
}

export function multipart(parts: FilePart[], boundary = 'a-boundary'): Sending {
  const pieces = parts.map(
    ({ name, text, field = 'files' }) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${field}"; filename="${name}"\r\n` +
      `Content-Type: application/octet-stream\r\n\r\n${text}\r\n`,
  )
  return {
    payload: `${pieces.join('')}--${boundary}--\r\n`,
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  }
}
