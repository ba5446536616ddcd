// Runs of a sync while people move documents, on a workspace in memory: which documents are deleted, and which are left.

import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Destination, SentFile } from './destination.ts'
import type { OwnedDocument } from './plan.ts'
import { type Change, syncOnce } from './run.ts'
import type { State, StoredFileResult } from './state.ts'

const hashOf = (text: string | Uint8Array): string => createHash('sha256').update(text).digest('hex')

/** A workspace, its sync, and the source's files. */
function makeWorld(files: Record<string, string>) {
  let documents: OwnedDocument[] = []
  let listedIds: string[] = []
  let lastId = 0
  const jobs: SentFile[][] = []
  const results = new Map<string, StoredFileResult>()
  const intents = new Map<string, Set<string>>()
  const state: State = {
    files: results,
    intents,
    since: null,
    rememberSending: async (entries) => {
      for (const { path, hash } of entries) intents.set(path, new Set([...(intents.get(path) ?? []), hash]))
    },
    remember: async (path, memory) => void results.set(path, memory),
    forget: async (path) => void results.delete(path),
    clearSending: async () => intents.clear(),
  }
  const receive = (path: string, hash: string): SentFile => {
    const document = documents.find((one) => one.path === path)
    const sameBytes = document ?? documents.find((one) => one.hash === hash)
    if (sameBytes?.hash === hash)
      return { filename: path, status: 'done', document_id: sameBytes.id, outcome: 'unchanged' }
    const id = document?.id ?? `document ${++lastId}`
    documents = [...documents.filter((one) => one.id !== id), { id, path, hash }]
    return { filename: path, status: 'done', document_id: id, outcome: document ? 'replaced' : 'created' }
  }
  const happen = { beforeSending: () => {}, beforeResult: () => {}, beforeDeletion: () => {} }
  const destination: Destination = {
    listOwned: async () => documents.filter(({ id }) => listedIds.includes(id)),
    setOwned: async (ids) => {
      listedIds = [...ids]
    },
    getDocument: async (id) => {
      happen.beforeDeletion()
      const document = documents.find((one) => one.id === id)
      return document && { ...document, isMine: true }
    },
    listDocumentIds: async () => new Set(documents.map(({ id }) => id)),
    newestJob: async () => null,
    uploadsSince: async (_since, isSent) => jobs.flat().filter(isSent),
    async *send(sent) {
      happen.beforeSending()
      const job: SentFile[] = []
      for (const { path, content } of sent)
        job.push(receive(path, hashOf(new Uint8Array(await (await content()).arrayBuffer()))))
      if (job.length > 0) yield { job: { id: String(jobs.push(job) - 1) }, files: [...sent] }
    },
    waitForEnd: async (jobId) => {
      happen.beforeResult()
      return jobs[Number(jobId)] ?? []
    },
    remove: async ({ id }) => {
      documents = documents.filter((one) => one.id !== id)
    },
  }
  return {
    files,
    happen,
    /** Id and path of each document. */
    documents: () => documents.map(({ id, path }) => [id, path]).sort(),
    move: (from: string, to: string): void => {
      documents = documents.map((one) => (one.path === from ? { ...one, path: to } : one))
    },
    sync: async (): Promise<string[]> => {
      const changes: Change[] = []
      const list = async () => ({
        files: Object.entries(files).map(([path, text]) => {
          const bytes = new TextEncoder().encode(text)
          return { path, bytes: bytes.length, mark: undefined, read: async () => bytes }
        }),
        notes: [],
      })
      await syncOnce({
        destination,
        source: { label: 'source', identity: 'source', list },
        state,
        into: '',
        dryRun: false,
        retry: false,
        allowEmpty: true,
        adopt: false,
        signal: new AbortController().signal,
        onChange: (change) => void changes.push(change),
        onNote: () => {},
        progress: () => () => {},
      })
      return changes.map(({ action, path }) => `${action} ${path}`)
    },
  }
}

/** Something that happens once. */
function once(work: () => void): () => void {
  let isDone = false
  return () => {
    if (!isDone) {
      isDone = true
      work()
    }
  }
}

test('a document that somebody moves while its next content is on its way is never deleted', async () => {
  const world = makeWorld({ 'rules.md': 'first' })
  await world.sync()
  world.files['rules.md'] = 'second'
  world.happen.beforeSending = once(() => world.move('rules.md', 'archive/rules.md'))
  expect(await world.sync()).toEqual(['leave rules.md', 'replace rules.md'])
  const documents = [
    ['document 1', 'archive/rules.md'],
    ['document 2', 'rules.md'],
  ]
  expect(world.documents()).toEqual(documents)
  for (let run = 0; run < 2; run++) expect(await world.sync()).toEqual([])
  expect(world.documents()).toEqual(documents)
})

test('neither is it if the run is killed before it knows', async () => {
  const world = makeWorld({ 'rules.md': 'first' })
  await world.sync()
  world.files['rules.md'] = 'second'
  world.happen.beforeSending = once(() => world.move('rules.md', 'archive/rules.md'))
  world.happen.beforeResult = once(() => {
    throw new Error('killed')
  })
  await expect(world.sync()).rejects.toThrow('killed')
  for (let run = 0; run < 3; run++) await world.sync()
  expect(world.documents()).toEqual([
    ['document 1', 'archive/rules.md'],
    ['document 2', 'rules.md'],
  ])
})

test('a run that is killed while it replaces a moved document is made up for where the document is', async () => {
  const world = makeWorld({ 'rules.md': 'first' })
  await world.sync()
  world.move('rules.md', 'archive/rules.md')
  world.files['rules.md'] = 'second'
  world.happen.beforeResult = once(() => {
    throw new Error('killed')
  })
  await expect(world.sync()).rejects.toThrow('killed')
  expect(world.documents()).toEqual([['document 1', 'archive/rules.md']])
  for (let run = 0; run < 2; run++) expect(await world.sync()).toEqual([])
  expect(world.documents()).toEqual([['document 1', 'archive/rules.md']])
  world.files['rules.md'] = 'third'
  expect(await world.sync()).toEqual(['replace rules.md'])
  expect(world.documents()).toEqual([['document 1', 'archive/rules.md']])
})

test('a document that somebody moves during the run in which its file is gone or renamed stays', async () => {
  const world = makeWorld({ 'gone.md': 'first', 'old.md': 'second', 'stays.md': 'third' })
  await world.sync()
  world.files['new.md'] = world.files['old.md'] ?? ''
  for (const path of ['gone.md', 'old.md']) delete world.files[path]
  world.happen.beforeDeletion = once(() => {
    world.move('gone.md', 'archive/gone.md')
    world.move('old.md', 'archive/old.md')
  })
  const documents = [
    ['document 1', 'archive/gone.md'],
    ['document 2', 'archive/old.md'],
    ['document 3', 'stays.md'],
  ]
  await world.sync()
  expect(world.documents()).toEqual(documents)
  for (let run = 0; run < 2; run++) expect(await world.sync()).toEqual([])
  expect(world.documents()).toEqual(documents)
})
