// Originals (extension): the uploaded files, and images of their pages, which a parser process draws.

import { open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { requireWorkspace } from '../auth/access.ts'
import type { Caller } from '../auth/caller.ts'
import { type OriginalRow, selectOriginal } from '../documents/documents.sql.ts'
import { notFound } from '../errors.ts'
import type { Bytes } from '../ports/bytes.ts'
import { pagesFolder } from '../ports/cache/disk-cache.ts'
import type { Deps } from '../ports/deps.ts'
import { type DocumentKind, NoSuchPage, UnreadableFile } from '../reader/reader.ts'
import { selectRestorable } from './versions/versions.sql.ts'

const mediaTypes: Record<DocumentKind, string> = {
  pdf: 'application/pdf',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  doc: 'application/msword',
  rtf: 'application/rtf',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  ppt: 'application/vnd.ms-powerpoint',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  xls: 'application/vnd.ms-excel',
  odt: 'application/vnd.oasis.opendocument.text',
  odp: 'application/vnd.oasis.opendocument.presentation',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  csv: 'text/csv',
  markdown: 'text/markdown',
  text: 'text/plain',
  html: 'text/html',
  mhtml: 'multipart/related',
  epub: 'application/epub+zip',
  email: 'message/rfc822',
  msg: 'application/vnd.ms-outlook',
  mbox: 'application/mbox',
  calendar: 'text/calendar',
  json: 'application/json',
  // PNG, JPEG or another format, which clients recognise by the first bytes.
  image: 'application/octet-stream',
}

/** @throws ApiError 404 */
export async function getOriginal(
  deps: Pick<Deps, 'db' | 'blobs'> & Partial<Pick<Deps, 'use'>>,
  caller: Caller,
  workspaceId: string,
  documentId: string,
): Promise<Bytes> {
  const row = await readableOriginal(deps, caller, workspaceId, documentId)
  deps.use?.opened(workspaceId, documentId, caller.userId)
  return fileOf(deps, row)
}

/** The file of the current version or of a restorable version. @throws ApiError 404 */
export async function getVersionOriginal(
  deps: Pick<Deps, 'db' | 'blobs'> & Partial<Pick<Deps, 'use'>>,
  caller: Caller,
  { workspaceId, documentId, versionId }: { workspaceId: string; documentId: string; versionId: string },
): Promise<Bytes> {
  await requireWorkspace(deps, caller, workspaceId, 'read')
  const version = await selectRestorable(deps.db, workspaceId, documentId, versionId)
  if (!version) throw notFound()
  deps.use?.opened(workspaceId, documentId, caller.userId)
  return fileOf(deps, { path: version.filename, kind: version.kind, content_hash: versionId })
}

async function fileOf(
  deps: Pick<Deps, 'blobs'>,
  row: Pick<OriginalRow, 'path' | 'kind' | 'content_hash'>,
): Promise<Bytes> {
  // An open file can be read to its end even if the document is replaced or deleted.
  const file = await open(await deps.blobs.open(row.content_hash), 'r')
  const { size } = await file.stat()
  return {
    size,
    mediaType: mediaTypes[row.kind as DocumentKind] ?? 'application/octet-stream',
    etag: row.content_hash,
    filename: row.path.slice(row.path.lastIndexOf('/') + 1),
    read: (start, end) => file.createReadStream({ start, end }),
    close: () => file.close(),
  }
}

interface ImageRequest {
  page: number
  /** In pixels. Undefined: a size for reading. */
  width: number | undefined
  signal: AbortSignal
}

/**
 * The image of a page. Each workspace has its own cache, so that response times reveal nothing about other workspaces.
 * @throws ApiError 404, 503
 */
export async function getPageImage(
  deps: Pick<Deps, 'db' | 'blobs' | 'cache' | 'pages' | 'admission'>,
  caller: Caller,
  { workspaceId, documentId }: { workspaceId: string; documentId: string },
  request: ImageRequest,
): Promise<Bytes> {
  const row = await readableOriginal(deps, caller, workspaceId, documentId)
  const { page, width } = request
  const name = width === undefined ? String(page) : `${page}-${width}`
  const key = `${pagesFolder(workspaceId, row.content_hash)}/${name}.png`
  const cachedImage = await deps.cache.get(key)
  const png = cachedImage ?? (await drawPage(deps, row, request))
  if (!cachedImage) await deps.cache.put(key, png)
  return {
    size: png.length,
    mediaType: 'image/png',
    etag: `${row.content_hash}-${name}`,
    filename: `page-${name}.png`,
    read: (start, end) => Readable.from([png.subarray(start, end + 1)]),
    close: () => Promise.resolve(),
  }
}

async function drawPage(
  deps: Pick<Deps, 'blobs' | 'pages' | 'admission'>,
  row: OriginalRow,
  { page, width, signal }: ImageRequest,
): Promise<Buffer> {
  if (row.pages !== null && page > row.pages) throw notFound()
  const release = deps.admission.pageImages.acquire()
  try {
    const path = await deps.blobs.open(row.content_hash)
    return await deps.pages.renderPage(
      { path, kind: row.kind },
      page,
      signal,
      width === undefined ? {} : { width },
    )
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof NoSuchPage || error instanceof UnreadableFile) throw notFound()
    throw error
  } finally {
    release()
  }
}

async function readableOriginal(
  deps: Pick<Deps, 'db'>,
  caller: Caller,
  workspaceId: string,
  documentId: string,
): Promise<OriginalRow> {
  await requireWorkspace(deps, caller, workspaceId, 'read')
  const row = await selectOriginal(deps.db, workspaceId, documentId)
  if (!row) throw notFound()
  return row
}
