// A workspace of a service as the destination of a sync, over HTTP.

import type { KenningClient } from '../../client/client.ts'
import { KenningError } from '../../client/error.ts'
import type { FileProgress } from '../../contract/resources.ts'
import type { Destination } from '../../sync/destination.ts'
import type { Source } from '../../sync/source.ts'
import { listAll } from '../context.ts'
import { sendFilesOfRequest } from '../files/send.ts'
import { untilSearchable } from '../files/watch.ts'
import { openOwnedScopes } from './marker.ts'

export function serviceDestination(
  client: KenningClient,
  workspaceId: string,
  source: Pick<Source, 'label' | 'identity'>,
  signal: AbortSignal,
): Destination {
  const ownedScopes = openOwnedScopes(client, workspaceId, source, signal)
  const workspaceParameter = { workspace_id: workspaceId }
  let myIdPromise: Promise<string> | undefined
  const myId = (): Promise<string> => (myIdPromise ??= client.getMe({}, { signal }).then(({ id }) => id))
  return {
    listOwned: ownedScopes.read,
    setOwned: ownedScopes.write,
    getDocument: async (documentId) => {
      try {
        const versions = await listAll(
          client.all(
            'listVersions',
            { ...workspaceParameter, document_id: documentId, limit: 50 },
            { signal },
          ),
        )
        const currentVersion = versions.find((version) => version.current)
        const isMine = currentVersion && currentVersion.uploaded_by === (await myId())
        return (
          currentVersion && {
            id: documentId,
            path: currentVersion.filename,
            hash: currentVersion.id,
            isMine: isMine === true,
          }
        )
      } catch (error) {
        return undefinedIfMissing(error)
      }
    },
    listDocumentIds: async () => {
      const documents = await listAll(
        client.all('listDocuments', { ...workspaceParameter, limit: 200 }, { signal }),
      )
      return new Set(documents.map(({ id }) => id))
    },
    newestJob: async () =>
      (await client.listJobs({ ...workspaceParameter, limit: 1 }, { signal })).data[0]?.id ?? null,
    uploadsSince: async (since, isSent) => {
      const files: FileProgress[] = []
      for await (const { id, kind } of client.all(
        'listJobs',
        { ...workspaceParameter, limit: 50 },
        { signal },
      )) {
        if (id === since) break
        if (kind !== 'upload') continue
        const progress = await client.getJobProgress({ job_id: id }, { signal })
        if (!progress.files.some(isSent)) continue
        files.push(
          ...(progress.status === 'done' ? progress : await untilSearchable(client, id, signal)).files,
        )
      }
      return files.filter(isSent)
    },
    send: (files, onConflict) => sendFilesOfRequest(client, workspaceId, files, { onConflict, signal }),
    waitForEnd: async (jobId) => (await untilSearchable(client, jobId, signal)).files,
    remove: async ({ id }) => {
      await client
        .deleteDocument({ ...workspaceParameter, document_id: id }, { signal })
        .catch(undefinedIfMissing)
    },
  }
}

function undefinedIfMissing(error: unknown): undefined {
  if (error instanceof KenningError && error.status === 404) return undefined
  throw error
}
