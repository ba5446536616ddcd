// Stores at the service which documents a sync has added, in document scopes. A sync on another machine can read them, people see
// them, and searches can be limited to them.

import { createHash } from 'node:crypto'
import type { KenningClient } from '../../client/client.ts'
import { KenningError } from '../../client/error.ts'
import type { OwnedDocument } from '../../sync/plan.ts'
import { listAll, undefinedIfMissing } from '../context.ts'

// The limit of documents in one scope.
const MAX_DOCUMENTS_PER_SCOPE = 10_000
const MAX_LABEL_CHARACTERS = 120

interface OwnedScopes {
  /** The documents in the scopes, as they are now. */
  read(): Promise<OwnedDocument[]>
  /** Makes the scopes contain exactly these documents, except those that no longer exist. */
  write(ids: readonly string[]): Promise<void>
}

export function openOwnedScopes(
  client: KenningClient,
  workspaceId: string,
  source: { label: string; identity: string },
  signal: AbortSignal,
): OwnedScopes {
  const digest = createHash('sha256').update(source.identity).digest('hex').slice(0, 8)
  const name = `sync: ${source.label.slice(-MAX_LABEL_CHARACTERS)} [${digest}]`
  const workspaceParameter = { workspace_id: workspaceId }
  const nameOf = (part: number): string => (part === 0 ? name : `${name} ${part + 1}`)
  const readPart = (part: number): Promise<OwnedDocument[] | undefined> =>
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
  let partCount = 0
  let writtenDigest = ''
  return {
    read: async () => {
      const ownedDocuments: OwnedDocument[] = []
      for (partCount = 0; ; partCount++) {
        const part = await readPart(partCount)
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
          for (let part = 0; part < Math.max(requiredParts, partCount); part++) {
            const document_ids = list.slice(
              part * MAX_DOCUMENTS_PER_SCOPE,
              (part + 1) * MAX_DOCUMENTS_PER_SCOPE,
            )
            const input = { ...workspaceParameter, scope_name: nameOf(part) }
            if (part < requiredParts)
              await client.putScope({ ...input, description, document_ids }, { signal })
            else await client.deleteScope(input, { signal }).catch(undefinedIfMissing)
          }
          partCount = requiredParts
          writtenDigest = newDigest
          return
        } catch (error) {
          // One of the documents no longer exists, so the list is reduced to those that do.
          if (!(error instanceof KenningError) || error.status !== 404 || attempt > 2) throw error
          const documents = await listAll(
            client.all('listDocuments', { ...workspaceParameter, limit: 200 }, { signal }),
          )
          const existingIds = new Set(documents.map(({ id }) => id))
          list = list.filter((id) => existingIds.has(id))
        }
      }
    },
  }
}

const digestOf = (ids: readonly string[]): string =>
  createHash('sha256')
    .update([...ids].sort().join())
    .digest('hex')
