// The panels beside a document: its outline, the entities that it names, its versions and its use.

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Upload, X } from 'lucide-react'
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react'
import type { Output } from '../../../src/client/client.ts'
import { startUpload } from '../documents/uploads.ts'
import { Button, IconButton } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { canBeShown, openFile } from '../parts/download.ts'
import { onEscape } from '../parts/escape.ts'
import { formatBytes, formatDate, formatDateTime } from '../parts/format.ts'
import { pageName } from '../parts/kinds.ts'
import { loadWithRetries } from '../parts/patiently.ts'
import { useReturnFocus } from '../parts/return-focus.ts'
import { Problem, Skeleton } from '../parts/states.tsx'
import { announce } from '../parts/toast.tsx'
import {
  documentDetailsQuery,
  documentEntitiesQuery,
  layoutQuery,
  membershipQuery,
  versionsQuery,
} from '../queries.ts'
import { api } from '../session.ts'
import { outlineOf } from './outline.ts'
import { UsePanel } from './use-panel.tsx'

// Loaded when the user compares versions, because it contains the code that compares texts.
const VersionChanges = lazy(() =>
  loadWithRetries(() => import('./version-changes.tsx')).then((module) => ({
    default: module.VersionChanges,
  })),
)

/** `use` is shown to owners only. */
export const PANELS = { outline: 'Outline', entities: 'Names', versions: 'Versions', use: 'Usage' } as const
export type PanelName = keyof typeof PANELS
export const isPanel = (name: string | undefined): name is PanelName => name !== undefined && name in PANELS

interface Props {
  workspace: string
  document: string
  panel: PanelName
  /** The page that is being read, in documents with pages. */
  page: number | undefined
  goTo: (chunk: string, page: number | null) => void
  close: () => void
}

export function SidePanel({ panel, close, ...rest }: Props) {
  const panelElement = useRef<HTMLElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  useReturnFocus(panelElement, panel)
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever another panel is opened
  useEffect(() => heading.current?.focus(), [panel])
  return (
    <aside
      ref={panelElement}
      aria-label={PANELS[panel]}
      onKeyDown={onEscape(close)}
      className="fixed inset-y-0 right-0 z-20 flex w-full flex-col sm:w-80 border-l border-line bg-paper shadow-xl xl:static xl:shrink-0 xl:shadow-none"
    >
      <div className="flex items-center justify-between border-b border-line py-1 pr-2 pl-4">
        <h3 ref={heading} tabIndex={-1} className="text-sm font-semibold outline-none">
          {PANELS[panel]}
        </h3>
        <IconButton label={`Close: ${PANELS[panel]}`} onClick={close}>
          <X size={16} />
        </IconButton>
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto p-2">
        {panel === 'outline' && <Outline {...rest} />}
        {panel === 'entities' && <Entities {...rest} />}
        {panel === 'versions' && <Versions {...rest} />}
        {panel === 'use' && <UsePanel {...rest} />}
      </div>
    </aside>
  )
}

type PartProps = Omit<Props, 'panel' | 'close'>

const Note = ({ children }: { children: string }) => <p className="px-2 py-1 text-sm text-soft">{children}</p>

function Outline({ workspace, document, goTo }: PartProps) {
  const { data, error, refetch } = useQuery(layoutQuery(workspace, document))
  const entries = useMemo(() => outlineOf(data ?? []), [data])
  if (error && !data) return <Problem error={error} retry={() => void refetch()} />
  if (!data) return <Skeleton lines={8} />
  if (entries.length === 0) return <Note>No headings were found in this document.</Note>
  return (
    <ol>
      {entries.map(({ title, depth, chunk, page }, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a heading may stand more than once, even above one chunk
        <li key={i}>
          <button
            type="button"
            onClick={() => goTo(chunk, page)}
            className="flex w-full items-baseline gap-2 rounded-md py-1 pr-2 text-left text-sm hover:bg-line/60"
            style={{ paddingLeft: `${0.5 + 0.75 * depth}rem` }}
          >
            <span className={`min-w-0 flex-1 ${depth === 0 ? 'font-medium' : ''}`}>{title}</span>
            {page !== null && (
              <span className="text-xs text-soft tabular-nums">
                <span className="sr-only">page </span>
                {page}
              </span>
            )}
          </button>
        </li>
      ))}
    </ol>
  )
}

function Entities({ workspace, document, page }: PartProps) {
  const documentEntities = useQuery(documentEntitiesQuery(workspace, document))
  const onPage = useQuery({
    ...documentEntitiesQuery(workspace, document, page),
    enabled: page !== undefined,
  })
  if (documentEntities.error && !documentEntities.data)
    return <Problem error={documentEntities.error} retry={() => void documentEntities.refetch()} />
  if (!documentEntities.data) return <Skeleton lines={8} />
  if (documentEntities.data.data.length === 0)
    return <Note>No names yet. They appear once the document is in the graph.</Note>
  return (
    <>
      {page !== undefined && onPage.data && (
        <EntityList
          workspace={workspace}
          title={`On page ${page}`}
          entities={onPage.data.data}
          none="No person, organization or other entity is named on this page."
        />
      )}
      <EntityList workspace={workspace} title="In the whole document" entities={documentEntities.data.data} />
      {documentEntities.data.has_more && <Note>Only the names that occur most often are shown.</Note>}
    </>
  )
}

interface EntityListProps {
  workspace: string
  title: string
  entities: Output<'listDocumentEntities'>['data']
  none?: string
}

function EntityList({ workspace, title, entities, none }: EntityListProps) {
  return (
    <section className="mb-4">
      <h4 className="px-2 pb-1 text-xs font-medium text-soft">{title}</h4>
      {entities.length === 0 && none && <Note>{none}</Note>}
      <ul>
        {entities.map(({ id, name, type, mentions }) => (
          <li key={id}>
            <Link
              to="/w/$workspace/graph/$entity"
              params={{ workspace, entity: id }}
              className="flex items-baseline gap-2 rounded-md px-2 py-1 text-sm hover:bg-line/60"
            >
              <span className="min-w-0 flex-1">
                {name} <span className="text-xs text-soft">{type}</span>
              </span>
              <span className="text-xs text-soft tabular-nums">
                {mentions}
                <span className="sr-only"> mentions</span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

type Version = Output<'listVersions'>['data'][number]

function Versions({ workspace, document }: PartProps) {
  const { data, error, refetch } = useQuery(versionsQuery(workspace, document))
  const { data: membership } = useQuery(membershipQuery(workspace))
  const mayRestore = membership !== undefined && membership.role !== 'viewer'
  const { data: details } = useQuery(documentDetailsQuery(workspace, document))
  const [versionToRestore, setVersionToRestore] = useState<Version>()
  const [versionToCompare, setVersionToCompare] = useState<Version>()
  const queries = useQueryClient()
  const ids = { workspace_id: workspace, document_id: document }
  const restore = useMutation({
    mutationFn: async (version: Version) => {
      const newJob = await api.restoreVersion(
        { ...ids, version_id: version.id },
        { idempotencyKey: crypto.randomUUID() },
      )
      setVersionToRestore(undefined)
      announce('The earlier version is being read. The present one stays until then.')
      for await (const { data } of api.jobEvents({ job_id: newJob.id })) {
        const failed = data.files.find(({ state }) => state === 'failed')
        if (failed) throw new Error(failed.error ?? 'The version could not be restored.')
        if (data.state === 'searchable' || data.state === 'complete') break
      }
    },
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['workspace', workspace] })
      announce('The earlier version is the document’s text again.')
    },
    onError: (problem) => announce(problem.message),
  })
  if (error && !data) return <Problem error={error} retry={() => void refetch()} />
  if (!data) return <Skeleton lines={4} />
  const currentVersion = data.find(({ current }) => current)
  return (
    <>
      {mayRestore && currentVersion && (
        <NewVersion workspace={workspace} filename={currentVersion.filename} />
      )}
      <ol className="divide-y divide-line">
        {data.map((version) => (
          <li key={version.id} className="px-2 py-2.5 text-sm">
            <div className="font-medium break-words">{version.filename}</div>
            <div className="text-xs text-soft">
              {formatDateTime(version.uploaded_at)}
              {version.bytes !== null && `, ${formatBytes(version.bytes)}`}
            </div>
            <div className="text-xs text-soft">
              {version.current
                ? 'The version that is read and searched'
                : `Replaced ${formatDate(version.replaced_at ?? version.uploaded_at)}${
                    version.restorable_until ? `, kept until ${formatDate(version.restorable_until)}` : ''
                  }`}
            </div>
            <div className="mt-1.5 flex flex-wrap gap-2">
              {!version.current && (
                <Button
                  aria-label={`What changed since ${formatDateTime(version.uploaded_at)}`}
                  onClick={() => setVersionToCompare(version)}
                >
                  What changed
                </Button>
              )}
              <Open ids={ids} version={version} />
              {!version.current && mayRestore && (
                <Button disabled={restore.isPending} onClick={() => setVersionToRestore(version)}>
                  Restore
                </Button>
              )}
            </div>
          </li>
        ))}
      </ol>
      {data.length === 1 && <Note>Nothing was replaced in the last 30 days.</Note>}
      <Dialog
        isWide
        open={versionToCompare !== undefined}
        onOpenChange={() => setVersionToCompare(undefined)}
        title="What changed since this version"
      >
        {versionToCompare && currentVersion && (
          <Suspense fallback={<Skeleton lines={6} />}>
            <VersionChanges
              workspace={workspace}
              document={document}
              before={versionToCompare}
              after={currentVersion}
              pageName={pageName(details?.kind)}
            />
          </Suspense>
        )}
      </Dialog>
      <Dialog
        open={versionToRestore !== undefined}
        onOpenChange={() => setVersionToRestore(undefined)}
        title="Restore this version?"
        description={`Everybody in this workspace then reads and searches “${versionToRestore?.filename}” as of ${versionToRestore ? formatDateTime(versionToRestore.uploaded_at) : ''}. You can go back to the present version later.`}
      >
        <div className="flex justify-end gap-2">
          <Button onClick={() => setVersionToRestore(undefined)}>Keep the present one</Button>
          <Button
            kind="primary"
            disabled={restore.isPending}
            onClick={() => versionToRestore && restore.mutate(versionToRestore)}
          >
            Restore
          </Button>
        </div>
      </Dialog>
    </>
  )
}

const endingOf = (filename: string): string => /\.[^./]+$/.exec(filename)?.[0].toLowerCase() ?? ''

function NewVersion({ workspace, filename }: { workspace: string; filename: string }) {
  const input = useRef<HTMLInputElement>(null)
  const extension = endingOf(filename)
  const choose = (field: HTMLInputElement): void => {
    const [content] = field.files ?? []
    if (content && endingOf(content.name) !== extension)
      announce(`A new version has to be a ${extension} file, too. Upload others among the documents.`)
    // The upload gets the document's name, whatever the file is called.
    else if (content) startUpload(workspace, [{ name: filename, content }], true)
    field.value = ''
  }
  return (
    <div className="px-2 pt-1 pb-2">
      <input
        ref={input}
        type="file"
        hidden
        accept={extension}
        aria-label="The new version"
        onChange={({ target }) => choose(target)}
      />
      <Button onClick={() => input.current?.click()}>
        <Upload size={14} /> Upload a new version
      </Button>
    </div>
  )
}

function Open({ ids, version }: { ids: { workspace_id: string; document_id: string }; version: Version }) {
  const open = async (): Promise<void> => {
    const response = await api.bytes('getVersionOriginal', { ...ids, version_id: version.id })
    await openFile(response, version.filename)
  }
  return (
    <Button
      aria-label={`${canBeShown(version.filename) ? 'Open' : 'Download'} the version of ${formatDateTime(version.uploaded_at)}`}
      onClick={() => void open().catch((problem: Error) => announce(problem.message))}
    >
      {canBeShown(version.filename) ? 'Open' : 'Download'}
    </Button>
  )
}
