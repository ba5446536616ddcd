// Records at the service which documents a sync has added: document scopes list them. Scopes do not depend on this machine, people see them,
// and searches can be limited to them.

import { createHash } from 'node:crypto'
import type { KenningClient } from '../../client/client.ts'
import { KenningError } from '../../client/error.ts'
import type { Owned } from '../../sync/plan.ts'
import { listAll } from '../context.ts'

// The limit of documents in one scope.
const MAX_DOCUMENTS_PER_SCOPE = 10_000
const MAX_LABEL_CHARACTERS = 120

interface Marker {
  name: string
  /** The present state of the documents that the scopes list. */
  read(): Promise<Owned[]>
  /** Lists exactly these documents, without those that no longer exist. */
  write(ids: readonly string[]): Promise<void>
}

export function openMarker(
  client: KenningClient,
  workspaceId: string,
  source: { label: string; identity: string },
  signal: AbortSignal,
): Marker {
  const digest = createHash('sha256').update(source.identity).digest('hex').slice(0, 8)
  const name = `sync: ${source.label.slice(-MAX_LABEL_CHARACTERS)} [${digest}]`
  const workspaceParameter = { workspace_id: workspaceId }
  const nameOf = (part: number): string => (part === 0 ? name : `${name} ${part + 1}`)
  const readPart = (part: number): Promise<Owned[] | undefined> =>
    listAll(
      client.all(
        'listScopeDocuments',
        { ...workspaceParameter, scope_name: nameOf(part), limit: 200 },
        { signal },
      ),
    ).then(
      (documents) => documents.map(({ id, path, version_id }) => ({ id, path, hash: version_id })),
      undefinedIfMissing,
    )
  const description = `Documents that kenning sync put here from ${source.label}. Without this scope it deletes none of them.`
  let parts = 0
  let writtenDigest = ''
  return {
    name,
    read: async () => {
      const ownedDocuments: Owned[] = []
      for (parts = 0; ; parts++) {
        const part = await readPart(parts)
        if (!part) break
        ownedDocuments.push(...part)
      }
      writtenDigest = digestOf(ownedDocuments.map(({ id }) => id))
      return ownedDocuments
    },
    write: async (ids) => {
      const newDigest = digestOf(ids)
      if (newDigest === writtenDigest) return
      let list = [...ids]
      for (let attempt = 0; ; attempt++) {
        try {
          const requiredParts = Math.max(1, Math.ceil(list.length / MAX_DOCUMENTS_PER_SCOPE))
          for (let part = 0; part < Math.max(requiredParts, parts); part++) {
            const document_ids = list.slice(
              part * MAX_DOCUMENTS_PER_SCOPE,
              (part + 1) * MAX_DOCUMENTS_PER_SCOPE,
            )
            const input = { ...workspaceParameter, scope_name: nameOf(part) }
            if (part < requiredParts)
              await client.putScope({ ...input, description, document_ids }, { signal })
            else await client.deleteScope(input, { signal }).catch(undefinedIfMissing)
          }
          parts = requiredParts
          writtenDigest = newDigest
          return
        } catch (error) {
          // One of the documents no longer exists.
          if (!(error instanceof KenningError) || error.status !== 404 || attempt > 2) throw error
          const documents = await listAll(
            client.all('listDocuments', { ...workspaceParameter, limit: 200 }, { signal }),
          )
          const existing = new Set(documents.map(({ id }) => id))
          list = list.filter((id) => existing.has(id))
        }
      }
    },
  }
}

const digestOf = (ids: readonly string[]): string =>
  createHash('sha256')
    .update([...ids].sort().join())
    .digest('hex')

function undefinedIfMissing(error: unknown): undefined {
  if (error instanceof KenningError && error.status === 404) return undefined
  throw error
}
