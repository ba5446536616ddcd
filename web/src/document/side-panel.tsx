// The panels beside a document: its outline, the entities that it names, its versions and its use.

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Upload, X } from 'lucide-react'
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react'
import type { Output } from '../../../src/client/client.ts'
import { startUpload } from '../documents/uploads.ts'
import { typeLabel } from '../graph/types.ts'
import { errorText } from '../language/error-text.ts'
import { message, plural, t } from '../language/text.tsx'
import { Button, IconButton } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { canBeShown, openFile } from '../parts/download.ts'
import { onEscape } from '../parts/escape.ts'
import { formatBytes, formatCount, formatDate, formatDateTime } from '../parts/format.ts'
import { loadWithRetries } from '../parts/patiently.ts'
import { randomId } from '../parts/random-id.ts'
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
export const PANELS = {
  outline: message('Outline'),
  entities: message('Names'),
  versions: message('Versions'),
  use: message('Usage'),
}
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

export function SidePanel({ panel, close, goTo, ...rest }: Props) {
  const panelElement = useRef<HTMLElement>(null)
  // A panel that covers the text makes room for it.
  const goThere: Props['goTo'] = (chunk, page) => {
    goTo(chunk, page)
    if (panelElement.current?.offsetWidth === innerWidth) close()
  }
  const heading = useRef<HTMLHeadingElement>(null)
  useReturnFocus(panelElement, panel)
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever another panel is opened
  useEffect(() => heading.current?.focus(), [panel])
  return (
    <aside
      ref={panelElement}
      aria-label={t(PANELS[panel])}
      onKeyDown={onEscape(close)}
      className="enter-right fixed inset-y-0 right-0 z-20 flex w-full flex-col border-l border-line bg-paper shadow-xl lg:static lg:w-72 lg:shrink-0 lg:shadow-none xl:w-80"
    >
      <div className="flex items-center justify-between border-b border-line py-1 pr-2 pl-4">
        <h3 ref={heading} tabIndex={-1} className="text-sm font-semibold outline-none">
          {t(PANELS[panel])}
        </h3>
        <IconButton label={t('Close: {panel}', { panel: t(PANELS[panel]) })} onClick={close}>
          <X size={16} />
        </IconButton>
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto p-2">
        {panel === 'outline' && <Outline {...rest} goTo={goThere} />}
        {panel === 'entities' && <Entities {...rest} />}
        {panel === 'versions' && <Versions {...rest} />}
        {panel === 'use' && <UsePanel {...rest} />}
      </div>
    </aside>
  )
}

type PartProps = Omit<Props, 'panel' | 'close' | 'goTo'>

const Note = ({ children }: { children: string }) => <p className="px-2 py-1 text-sm text-soft">{children}</p>

function Outline({ workspace, document, goTo }: PartProps & Pick<Props, 'goTo'>) {
  const { data, error, refetch } = useQuery(layoutQuery(workspace, document))
  const entries = useMemo(() => outlineOf(data ?? []), [data])
  if (error && !data) return <Problem error={error} retry={() => void refetch()} />
  if (!data) return <Skeleton lines={8} />
  if (entries.length === 0) return <Note>{t('No headings were found in this document.')}</Note>
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
                <span aria-hidden>{page}</span>
                <span className="sr-only">{t('page {page}', { page })}</span>
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
    return <Note>{t('No names yet. They appear once the document is in the graph.')}</Note>
  return (
    <>
      {page !== undefined && onPage.data && (
        <EntityList
          workspace={workspace}
          title={t('On page {page}', { page })}
          entities={onPage.data.data}
          none={t('No person, organization or other entity is named on this page.')}
        />
      )}
      <EntityList
        workspace={workspace}
        title={t('In the whole document')}
        entities={documentEntities.data.data}
      />
      {documentEntities.data.has_more && <Note>{t('Only the names that occur most often are shown.')}</Note>}
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
                {name} {type !== 'other' && <span className="text-xs text-soft">{typeLabel(type)}</span>}
              </span>
              <span className="text-xs text-soft tabular-nums">
                <span aria-hidden>{formatCount(mentions)}</span>
                <span className="sr-only">{plural(mentions, 'mention')}</span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

type Version = Output<'listVersions'>['data'][number]

/** What became of a version. */
function stateOf({ current, uploaded_at, replaced_at, restorable_until }: Version): string {
  if (current) return t('The version that is read and searched')
  const date = formatDate(replaced_at ?? uploaded_at)
  return restorable_until
    ? t('Replaced {date}, kept until {end}', { date, end: formatDate(restorable_until) })
    : t('Replaced {date}', { date })
}

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
        { idempotencyKey: randomId() },
      )
      setVersionToRestore(undefined)
      announce(t('The earlier version is being read. The present one stays until then.'))
      for await (const { data } of api.jobEvents({ job_id: newJob.id })) {
        const failed = data.files.find(({ state }) => state === 'failed')
        if (failed) throw new Error(failed.error ?? t('The version could not be restored.'))
        if (data.state === 'searchable' || data.state === 'complete') break
      }
    },
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['workspace', workspace] })
      announce(t('The earlier version is the document’s text again.'))
    },
    onError: (problem) => announce(errorText(problem)),
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
            <div className="text-xs text-soft">{stateOf(version)}</div>
            <div className="mt-1.5 flex flex-wrap gap-2">
              {!version.current && (
                <Button
                  aria-label={t('What changed since {time}', { time: formatDateTime(version.uploaded_at) })}
                  onClick={() => setVersionToCompare(version)}
                >
                  {t('What changed')}
                </Button>
              )}
              <Open ids={ids} version={version} />
              {!version.current && mayRestore && (
                <Button disabled={restore.isPending} onClick={() => setVersionToRestore(version)}>
                  {t('Restore')}
                </Button>
              )}
            </div>
          </li>
        ))}
      </ol>
      {data.length === 1 && <Note>{t('Nothing was replaced in the last 30 days.')}</Note>}
      <Dialog
        isWide
        open={versionToCompare !== undefined}
        onOpenChange={() => setVersionToCompare(undefined)}
        title={t('What changed since this version')}
      >
        {versionToCompare && currentVersion && (
          <Suspense fallback={<Skeleton lines={6} />}>
            <VersionChanges
              workspace={workspace}
              document={document}
              before={versionToCompare}
              after={currentVersion}
              kind={details?.kind}
            />
          </Suspense>
        )}
      </Dialog>
      <Dialog
        open={versionToRestore !== undefined}
        onOpenChange={() => setVersionToRestore(undefined)}
        title={t('Restore this version?')}
        description={t(
          'Everybody in this workspace then reads and searches “{filename}” as of {time}. You can go back to the present version later.',
          {
            filename: versionToRestore?.filename ?? '',
            time: versionToRestore ? formatDateTime(versionToRestore.uploaded_at) : '',
          },
        )}
      >
        <div className="flex justify-end gap-2">
          <Button onClick={() => setVersionToRestore(undefined)}>{t('Keep the present one')}</Button>
          <Button
            kind="primary"
            disabled={restore.isPending}
            onClick={() => versionToRestore && restore.mutate(versionToRestore)}
          >
            {t('Restore')}
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
      announce(
        t('A new version has to be a {extension} file, too. Upload others among the documents.', {
          extension,
        }),
      )
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
        aria-label={t('The new version')}
        onChange={({ target }) => choose(target)}
      />
      <Button onClick={() => input.current?.click()}>
        <Upload size={14} /> {t('Upload a new version')}
      </Button>
    </div>
  )
}

function Open({ ids, version }: { ids: { workspace_id: string; document_id: string }; version: Version }) {
  const open = async (): Promise<void> => {
    const response = await api.bytes('getVersionOriginal', { ...ids, version_id: version.id })
    await openFile(response, version.filename)
  }
  const isShown = canBeShown(version.filename)
  const time = formatDateTime(version.uploaded_at)
  return (
    <Button
      aria-label={
        isShown ? t('Open the version of {time}', { time }) : t('Download the version of {time}', { time })
      }
      onClick={() => void open().catch((problem: Error) => announce(errorText(problem)))}
    >
      {isShown ? t('Open') : t('Download')}
    </Button>
  )
}
