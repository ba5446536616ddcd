// The documents of a workspace: a table that stays fast with ten thousand rows. Files can be dropped anywhere on it.

import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { Ellipsis, FolderUp, Trash2, Upload } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { plural, t } from '../language/text.tsx'
import { Button, buttonClass, IconButton } from '../parts/button.tsx'
import { toolInputClass } from '../parts/field.tsx'
import { ScopeSelect } from '../parts/scope-select.tsx'
import { Empty, Problem, Skeleton, ToWorkspaces } from '../parts/states.tsx'
import { useTypedText } from '../parts/use-typed-text.ts'
import { membershipQuery, scopesQuery, workspaceQuery } from '../queries.ts'
import { ExampleLibrary } from '../shell/example-library.tsx'
import { namesOfPages } from './display-names.ts'
import { DocumentTable } from './document-table.tsx'
import { documentsQuery } from './documents-query.ts'
import type { Drag } from './drag.ts'
import { FailedFiles } from './failed-files.tsx'
import { FolderSelect, FolderTree, useFolders } from './folder-tree.tsx'
import { lastStep } from './folders.ts'
import { filesOfInput, inFolder } from './selected-files.ts'
import { belowOf, inOrderOfMove, type SelectedFrom } from './selected-from.ts'
import { Selection } from './selection.tsx'
import { SourcesButton } from './sources/sources-button.tsx'
import { SourcesPanel } from './sources/sources-panel.tsx'
import { useUploaderName } from './uploader-name.ts'
import { startUpload } from './uploads.ts'
import { useFolderActions } from './use-folder-actions.tsx'
import { announceProblem, useMoveDocuments } from './use-move.ts'

const FROM = { from: '/w/$workspace/documents' } as const
const NO_SELECTION: ReadonlySet<string> = new Set()

export function DocumentsPage() {
  const { workspace } = useParams({ from: '/w/$workspace' })
  const { by: sortOrder, ...filter } = useSearch(FROM)
  const list = useInfiniteQuery(documentsQuery(workspace, { ...filter, sort: sortOrder }))
  const { data: workspaceData } = useQuery(workspaceQuery(workspace))
  const { data: membership } = useQuery(membershipQuery(workspace))
  const mayEdit = membership !== undefined && membership.role !== 'viewer'
  const [selected, setSelected] = useState(NO_SELECTION)
  const [showsSources, setShowsSources] = useState(false)
  const documents = useMemo(() => list.data?.pages.flatMap((page) => page.data) ?? [], [list.data])
  const names = useMemo(() => namesOfPages(list.data?.pages.map(({ data }) => data) ?? []), [list.data])
  const uploaderName = useUploaderName(workspace)
  const isEmpty = list.data !== undefined && documents.length === 0
  const isFiltered = Boolean(filter.q || filter.scope || filter.folder)
  const folders = useFolders(workspace)
  const { actions, menuFolder, overlays } = useFolderActions(workspace, folders)
  const deselect = (ids: ReadonlySet<string>): void =>
    setSelected((current) => new Set([...current].filter((id) => !ids.has(id))))
  // A reader who goes to another folder or workspace does not see what was selected in the one before.
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever another folder or workspace is shown
  useEffect(() => setSelected(NO_SELECTION), [workspace, filter.folder])
  const hasFolders = folders.items.length > 0
  const isSearched = Boolean(filter.q || filter.scope)
  const selectedFrom: SelectedFrom = {
    folder: folders.folder,
    pathById: new Map(
      documents.filter(({ id }) => selected.has(id)).map(({ id, filename }) => [id, filename]),
    ),
    // While another folder is loaded, the documents are those of the one before.
    isWholeFolder:
      !isSearched &&
      !list.isPlaceholderData &&
      !list.hasNextPage &&
      documents.every(({ id }) => selected.has(id)),
  }
  const drag = useRef<Drag>(undefined)
  const { mutateAsync: move } = useMoveDocuments(workspace, (documentIds) => deselect(new Set(documentIds)))
  const dropDocuments = (ids: readonly string[], folder: string): void => {
    const below = belowOf(selectedFrom)
    const documentIds = inOrderOfMove(ids, selectedFrom.pathById, { destination: folder, below })
    void move({ documentIds, folder, below }).catch(announceProblem)
  }
  const total = isSearched
    ? undefined
    : filter.folder
      ? folders.items.find(({ path }) => path === filter.folder)?.document_count
      : workspaceData?.document_count
  return (
    <div className="flex h-full flex-col px-4 pt-4 md:px-6">
      {/* The actions for selected documents are shown above this line, so that no row of the table moves unless they need more room. */}
      <div className="mb-3 grid">
        <div
          inert={selected.size > 0}
          className="flex min-w-0 flex-wrap content-start items-center gap-2 [grid-area:1/1]"
        >
          {(!isEmpty || isFiltered) && (
            <>
              <Filter />
              {hasFolders && <FolderSelect {...folders} />}
              {mayEdit && filter.folder && !isSearched && documents.length > 0 && (
                <IconButton
                  label={t('Actions for “{folder}”', { folder: lastStep(folders.folder) })}
                  aria-haspopup="menu"
                  aria-expanded={menuFolder === folders.folder}
                  onClick={(event) => actions.toggleMenu(folders.folder, event)}
                  className="xl:hidden"
                >
                  <Ellipsis size={15} />
                </IconButton>
              )}
              <ScopeFilter workspace={workspace} />
              <span role="status" className="text-sm text-soft">
                {isSearched
                  ? list.data &&
                    (list.hasNextPage
                      ? plural(documents.length, '{count} match and more', '{count} matches and more')
                      : plural(documents.length, 'match', 'matches'))
                  : total !== undefined && plural(total, 'document')}
              </span>
            </>
          )}
          {mayEdit && (
            <div className="ml-auto flex flex-wrap gap-2">
              <SourcesButton
                workspace={workspace}
                isOwner={membership.role === 'owner'}
                open={showsSources}
                toggle={() => setShowsSources(!showsSources)}
              />
              <Link
                to="/w/$workspace/trash"
                params={{ workspace }}
                aria-label={t('Documents in the trash')}
                title={t('Documents in the trash')}
                className={buttonClass('quiet')}
              >
                <Trash2 size={14} /> {t('Trash')}
              </Link>
              <UploadButtons workspace={workspace} targetFolder={filter.folder ?? ''} />
            </div>
          )}
        </div>
        {selected.size > 0 && (
          <Selection
            // A request that is on its way when another workspace is opened still belongs to this one.
            key={workspace}
            workspace={workspace}
            selected={selected}
            from={selectedFrom}
            deselect={deselect}
          />
        )}
      </div>
      {mayEdit && showsSources && (
        <SourcesPanel workspace={workspace} isOwner={membership.role === 'owner'} />
      )}
      <FailedFiles workspace={workspace} mayEdit={mayEdit} />
      <div className="flex min-h-0 flex-1 gap-4">
        {hasFolders && (
          <aside
            aria-label={t('Folders')}
            className="hidden w-48 shrink-0 overflow-y-auto border-t border-line pt-1 xl:block 2xl:w-60"
          >
            <FolderTree
              {...folders}
              actions={mayEdit ? actions : undefined}
              drag={drag}
              dropDocuments={dropDocuments}
            />
          </aside>
        )}
        <div className="flex min-w-0 flex-1 flex-col">
          {list.error && !list.data && <Problem error={list.error} retry={() => void list.refetch()} />}
          {list.isPending && <Skeleton lines={10} />}
          {isEmpty && isFiltered && (
            <Empty
              title={t('No document matches')}
              action={
                <Link to="/w/$workspace/documents" params={{ workspace }} className={buttonClass()}>
                  {t('All documents')}
                </Link>
              }
            >
              {t('Try fewer letters, or search in all documents.')}
            </Empty>
          )}
          {isEmpty && !isFiltered && mayEdit && (
            <Empty title={t('No documents yet')} action={<ExampleLibrary workspace={workspace} />}>
              {t(
                'Drop files or folders here: PDF, Word, PowerPoint, Excel, CSV, Markdown, text, HTML, e-mail, pictures and scans.',
              )}
            </Empty>
          )}
          {isEmpty && !isFiltered && membership?.role === 'viewer' && (
            <Empty title={t('No documents yet')} action={<ToWorkspaces />}>
              {t('An owner or editor of this workspace can add some.')}
            </Empty>
          )}
          {documents.length > 0 && (
            <DocumentTable
              workspace={workspace}
              documents={documents}
              names={names}
              uploaderName={uploaderName}
              total={total}
              selectedIds={selected}
              drag={drag}
              select={mayEdit ? setSelected : undefined}
              loadMore={
                list.hasNextPage && !list.isFetchingNextPage ? () => void list.fetchNextPage() : undefined
              }
            />
          )}
        </div>
      </div>
      {mayEdit && overlays}
    </div>
  )
}

function Filter() {
  const { q } = useSearch(FROM)
  const navigate = useNavigate(FROM)
  const { field, typedText, setTypedText } = useTypedText(q ?? '', (text) => {
    const search = ({ q: _, ...rest }: { q?: string }) => (text ? { ...rest, q: text } : rest)
    void navigate({ search, replace: true })
  })
  return (
    <input
      ref={field}
      type="search"
      aria-label={t('Filter by title or file name')}
      placeholder={t('Filter by title or file name')}
      value={typedText}
      onChange={(event) => setTypedText(event.target.value)}
      className={`${toolInputClass} min-w-40 flex-1 sm:max-w-72`}
    />
  )
}

function ScopeFilter({ workspace }: { workspace: string }) {
  const { scope = '' } = useSearch(FROM)
  const { data } = useQuery(scopesQuery(workspace))
  const navigate = useNavigate(FROM)
  // Folders have a place of their own on this page.
  const scopes = data?.data.filter(({ name }) => name === scope || !name.startsWith('folder:'))
  return (
    <ScopeSelect
      scopes={scopes}
      value={scope}
      choose={(next) =>
        void navigate({
          search: ({ scope: _, ...rest }) => (next ? { ...rest, scope: next } : rest),
          replace: true,
        })
      }
    />
  )
}

/** @param targetFolder the folder that is shown; files land in it. */
function UploadButtons({ workspace, targetFolder }: { workspace: string; targetFolder: string }) {
  const files = useRef<HTMLInputElement>(null)
  const folder = useRef<HTMLInputElement>(null)
  const start = (input: HTMLInputElement): void => {
    if (input.files) startUpload(workspace, inFolder(filesOfInput(input.files), targetFolder))
    input.value = ''
  }
  return (
    <>
      <input
        ref={files}
        type="file"
        multiple
        hidden
        aria-label={t('Files to upload')}
        onChange={(event) => start(event.target)}
      />
      <input
        ref={folder}
        type="file"
        hidden
        aria-label={t('A folder to upload')}
        {...{ webkitdirectory: '' }}
        onChange={(event) => start(event.target)}
      />
      <Button onClick={() => folder.current?.click()}>
        <FolderUp size={14} /> {t('Folder')}
      </Button>
      <Button kind="primary" onClick={() => files.current?.click()}>
        <Upload size={14} /> {t('Upload files')}
      </Button>
    </>
  )
}
