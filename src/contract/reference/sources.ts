// Descriptions and examples of ../sources.ts.

import type * as module from '../sources.ts'
import { ID, onlyPage } from './library.ts'
import type { OperationTexts, SchemaTexts } from './texts.ts'

const address = 'https://tidewick.example/docs/sitemap.xml'
const counts = { files: 42, unchanged: 39, created: 1, replaced: 2, moved: 0, deleted: 0, refused: 0 }
const source = {
  id: ID.source,
  name: 'Website',
  kind: 'web' as const,
  addresses: [address],
  branch: null,
  into: 'Website',
  include: [],
  exclude: ['news/**'],
  every_minutes: 60,
  paused: false,
  has_credentials: false,
  state: 'waiting' as const,
  created_at: '2026-11-24T10:00:12.792Z',
  last_run_at: '2026-11-25T12:00:12.901Z',
  last_success_at: '2026-11-25T12:00:12.901Z',
  next_run_at: '2026-11-25T13:00:12.901Z',
  error: null,
  documents: 42,
  counts,
}
const missing = 'the workspace or the source'

export const schemas: SchemaTexts<typeof module> = {
  SourceKind: {
    description:
      'What a source is. `web`: pages and sitemaps. `git`: a repository. `folder` and `remote` (of rclone): those that the operator of the service named.',
    example: 'web',
  },
  SourceCredentials: {
    description: 'A password or token, with the name that it belongs to. The service never shows it again.',
    example: { username: 'reader', secret: 'a-token-of-your-server' },
  },
  SourceCreate: {
    description:
      'A new source. `into` is the folder of the workspace that its files go to. `include` and `exclude` are patterns of paths, such as `docs/**`. `every_minutes` null: it runs only when somebody asks.',
    example: {
      kind: 'web',
      addresses: [address],
      name: 'Website',
      into: 'Website',
      exclude: ['news/**'],
      every_minutes: 60,
    },
  },
  SourceUpdate: {
    description: 'The fields of a source to change. A field that is absent stays as it is.',
    example: { every_minutes: 240, paused: false },
  },
  SourceCounts: {
    description: 'What the last run that has ended did, in numbers of files.',
    example: counts,
  },
  Source: {
    description:
      'Where documents of a workspace come from, again and again. `documents` is how many of them come from it. `error` says why the last run failed, null if it did not.',
    example: source,
  },
  SourcePage: { description: 'A page of a list of sources.', example: onlyPage(source) },
  SourceDetails: {
    description: 'A source with the files that could not be read, at most a hundred, and why.',
    example: {
      ...source,
      counts: { ...counts, unchanged: 38, refused: 1 },
      refused: [{ path: 'Website/tour.mp4', reason: 'Files of this kind cannot be read.' }],
    },
  },
  SourceRun: {
    description:
      '`allow_empty`: if the source is empty, its documents are deleted; otherwise that is an error. `retry`: files that could not be read are sent again.',
    example: { allow_empty: false, retry: true },
  },
  SourcePlaces: {
    description:
      'The folders and remotes that the operator of the service allows. A source may be one of them, or a folder below.',
    example: { folders: ['/srv/shared/tidewick'], remotes: ['nextcloud:Tidewick'] },
  },
}

export const operations: OperationTexts<typeof module.sources> = {
  listSources: {
    does: 'Lists the sources that a workspace is kept in step with, oldest first, in pages.',
    callers: 'readingEditor',
  },
  createSource: {
    does: 'Keeps a workspace in step with web pages, a repository, or a place that the operator named, and returns the source. It runs at once, and then on its schedule.',
    callers: 'owner',
    invalid: 'the address is not allowed, a pattern cannot be used, or the workspace has too many sources',
    output: {
      ...source,
      state: 'queued',
      last_run_at: null,
      last_success_at: null,
      next_run_at: null,
      documents: 0,
      counts: null,
    },
  },
  getSource: {
    does: 'Returns a source and its state, with the files that could not be read.',
    callers: 'readingEditor',
    missing,
  },
  updateSource: {
    does: 'Changes a source, or pauses it and lets it go on, and returns it. From then on it runs in the name of the caller.',
    callers: 'owner',
    missing,
    invalid: 'a pattern cannot be used',
    output: { ...source, every_minutes: 240 },
  },
  deleteSource: {
    does: 'Removes a source. Its documents are kept, or deleted with `documents=delete`, except those that somebody has changed.',
    callers: 'owner',
    missing,
  },
  runSource: {
    does: 'Runs a source now, and returns it. A run that is under way goes on.',
    callers: 'owner',
    missing,
    output: { ...source, state: 'queued' },
  },
  getSourcePlaces: {
    does: 'Returns the folders and remotes that the operator of the service allows as sources.',
    callers: 'readingOwner',
  },
}
