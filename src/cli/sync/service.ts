// A workspace of a service as the destination of a sync, over HTTP.

import type { KenningClient } from '../../client/client.ts'
import type { FileProgress } from '../../contract/resources.ts'
import type { Destination } from '../../sync/destination.ts'
import type { Source } from '../../sync/source.ts'
import { listAll, undefinedIfMissing } from '../context.ts'
import { sendFilesOfRequest } from '../files/send.ts'
import { untilSearchable } from '../files/watch.ts'
import { openOwnedScopes } from './owned-scopes.ts'

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
        const document = { ...workspaceParameter, document_id: documentId }
        // The name in a version is that of its upload, which a move does not change.
        const { filename: path } = await client.getDocumentDetails(document, { signal })
        const versions = await listAll(client.all('listVersions', { ...document, limit: 50 }, { signal }))
        const currentVersion = versions.find((version) => version.current)
        const isMine = currentVersion && currentVersion.uploaded_by === (await myId())
        return (
          currentVersion && {
            id: documentId,
            path,
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
