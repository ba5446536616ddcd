// A document: the images of its pages beside its text, scrolled together.

import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import {
  ChartColumn,
  ChevronDown,
  ChevronUp,
  Download,
  ListTree,
  Users,
  History as Versions,
} from 'lucide-react'
import {
  type KeyboardEvent,
  memo,
  type ReactNode,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useState,
} from 'react'
import type { Output } from '../../../src/client/client.ts'
import { errorText } from '../language/error-text.ts'
import { t } from '../language/text.tsx'
import { Button, IconButton } from '../parts/button.tsx'
import { ChunkText } from '../parts/chunk-text.tsx'
import { saveFile } from '../parts/download.ts'
import { toolInputClass } from '../parts/field.tsx'
import { formatCount, formatDate } from '../parts/format.ts'
import { isSheet, kindName, pageCount, pageLabel } from '../parts/kinds.ts'
import { boxesWith, type Span, spansOf } from '../parts/spans.ts'
import { isGone, Problem, Skeleton } from '../parts/states.tsx'
import { announce } from '../parts/toast.tsx'
import { type Chunk, documentDetailsQuery, documentQuery, layoutQuery, membershipQuery } from '../queries.ts'
import { api } from '../session.ts'
import { type FindResult, useFind } from './find.ts'
import type { Box } from './page-image.tsx'
import { PagesColumn } from './pages-column.tsx'
import { isPanel, PANELS, type PanelName, SidePanel } from './side-panel.tsx'
import { useScrollSync } from './use-in-step.ts'

const FROM = { from: '/w/$workspace/d/$document' } as const

export function DocumentPage() {
  const { workspace, document } = useParams(FROM)
  const details = useQuery(documentDetailsQuery(workspace, document))
  const content = useInfiniteQuery(documentQuery(workspace, document))
  const chunks = useMemo(() => content.data?.pages.flatMap((part) => part.chunks) ?? [], [content.data])
  const [firstPage] = content.data?.pages ?? []
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = content
  // All parts of the text are loaded, because readers can search in it and the cited passage may be in any part.
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage && !isFetchNextPageError) void fetchNextPage()
  }, [hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage])
  if (content.error && (isGone(content.error) || !content.data))
    return <Problem error={content.error} retry={() => void content.refetch()} />
  // The details say whether there are images of pages beside the text, which is narrower then.
  if (!firstPage || !details.isFetched)
    return (
      <div className="mx-auto max-w-3xl p-6">
        <Skeleton lines={12} />
      </div>
    )
  return (
    <Reader
      key={document}
      workspace={workspace}
      document={document}
      title={firstPage.title}
      chunks={chunks}
      total={firstPage.total_chunks}
    />
  )
}

interface ReaderProps {
  workspace: string
  document: string
  title: string
  chunks: readonly Chunk[]
  total: number
}

function Reader({ workspace, document, title, chunks, total }: ReaderProps) {
  const { page, chunk, span, find, panel } = useSearch(FROM)
  const navigate = useNavigate(FROM)
  const { data: details } = useQuery(documentDetailsQuery(workspace, document))
  const pages = details?.page_images ? (details.pages ?? 1) : 0
  const target = chunk ?? chunks.find((one) => one.page === page)?.id
  const [firstShown] = useState(
    Math.min(page ?? chunks.find(({ id }) => id === chunk)?.page ?? 1, pages || 1),
  )
  const scrollSync = useScrollSync({ target, page, count: chunks.length })
  const matches = useFind(chunks, find)
  const [narrowView, setNarrowView] = useState<'text' | 'pages'>('text')
  const citedSpans = useMemo(() => spansOf(span), [span])
  const markedChunkId = matches.chunk ?? chunk
  const marks = matches.chunk
    ? matches.spans.get(matches.chunk)?.filter(({ current }) => current)
    : citedSpans
  const boxes = useBoxes({
    workspace,
    document,
    chunk: chunks.find(({ id }) => id === markedChunkId),
    isEnabled: pages > 0,
    marks,
  })
  const { toChunk } = scrollSync
  // Scrolls to the hit that the reader went to.
  useEffect(() => {
    if (matches.hitNumber > 0 && matches.chunk) toChunk(matches.chunk, 'mark[aria-current]')
  }, [matches.hitNumber, matches.chunk, toChunk])
  const { savePosition, restorePosition } = scrollSync
  const openPanel = (name: PanelName | undefined): void => {
    savePosition()
    void navigate({
      search: ({ panel: _, ...rest }) => (name ? { ...rest, panel: name } : rest),
      replace: true,
    })
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: the panel changes the width of the text
  useLayoutEffect(restorePosition, [panel, restorePosition])
  const headings = useHeadings(workspace, document, total)
  const hasPages = chunks.some((one) => one.page)
  return (
    <div className="flex h-full flex-col">
      <title>{`${title} · Kenning`}</title>
      <Head
        workspace={workspace}
        document={document}
        title={title}
        isComplete={chunks.length >= total}
        matches={matches}
        panel={isPanel(panel) ? panel : undefined}
        openPanel={openPanel}
      >
        {pages > 0 && <ViewSwitch view={narrowView} choose={setNarrowView} />}
      </Head>
      <div className="flex min-h-0 flex-1">
        {pages > 0 && (
          <div
            className={`${narrowView === 'pages' ? 'block w-full' : 'hidden'} border-r border-line bg-back lg:w-[45%] lg:shrink-0 ${isPanel(panel) ? 'lg:hidden xl:block xl:w-[35%]' : 'lg:block'}`}
            {...scrollSync.leadOnInput('pages')}
          >
            <PagesColumn
              workspace={workspace}
              document={document}
              pages={pages}
              firstShown={firstShown}
              boxes={boxes}
              column={scrollSync.pages}
              onScroll={scrollSync.onPagesScroll}
            />
          </div>
        )}
        <section
          aria-label={t('Text')}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: it is scrolled by keyboard, too
          tabIndex={0}
          ref={scrollSync.text}
          onScroll={scrollSync.onTextScroll}
          className={`${pages > 0 && narrowView === 'pages' ? 'hidden' : ''} min-w-0 flex-1 overflow-y-auto lg:block`}
          {...scrollSync.leadOnInput('text')}
        >
          <div
            className={`mx-auto px-4 py-6 md:px-8 ${isSheet(details?.kind) ? 'max-w-[80rem]' : 'max-w-[46rem]'}`}
          >
            {chunks.map((candidate, i) => (
              <Passage
                key={candidate.id}
                chunk={candidate}
                pageLabel={
                  candidate.page && details?.pages !== 1 && candidate.page !== chunks[i - 1]?.page
                    ? pageLabel(details?.kind, candidate.page)
                    : undefined
                }
                isFirst={i === 0}
                heading={headings.get(candidate.id)}
                isTarget={candidate.id === chunk}
                spans={matches.spans.get(candidate.id) ?? (candidate.id === chunk ? citedSpans : undefined)}
              />
            ))}
            {chunks.length < total && <Skeleton lines={6} />}
          </div>
        </section>
        {isPanel(panel) && (
          <SidePanel
            workspace={workspace}
            document={document}
            panel={panel}
            page={hasPages ? scrollSync.visiblePage : undefined}
            goTo={(to) => toChunk(to)}
            close={() => openPanel(undefined)}
          />
        )}
      </div>
    </div>
  )
}

interface BoxesProps {
  workspace: string
  document: string
  chunk: Chunk | undefined
  isEnabled: boolean
  marks: readonly Span[] | undefined
}

/** The boxes of the marks in a chunk, or of the whole chunk, by page. */
function useBoxes({ workspace, document, chunk, isEnabled, marks }: BoxesProps) {
  const { data } = useQuery({
    ...layoutQuery(workspace, document),
    enabled: isEnabled && chunk !== undefined,
  })
  return useMemo(() => {
    const boxes = new Map<number, Box[]>()
    const chunkBoxes = data?.find((place) => place.chunk_id === chunk?.id)?.boxes ?? []
    for (const { page, bbox } of boxesWith(chunk?.text ?? '', chunkBoxes, marks))
      boxes.set(page, [...(boxes.get(page) ?? []), bbox])
    return boxes
  }, [data, chunk, marks])
}

// Headings need the layout of all passages. In a longer document that would take too long.
const MAX_WITH_HEADINGS = 1000

/** The headings above each chunk. */
function useHeadings(workspace: string, document: string, chunks: number): ReadonlyMap<string, string> {
  const { data } = useQuery({ ...layoutQuery(workspace, document), enabled: chunks <= MAX_WITH_HEADINGS })
  return useMemo(() => new Map(data?.map(({ chunk_id, heading }) => [chunk_id, heading])), [data])
}

interface PassageProps {
  chunk: Chunk
  /** The name of the page, if this is its first chunk. */
  pageLabel: string | undefined
  isFirst: boolean
  heading: string | undefined
  isTarget: boolean
  spans: readonly Span[] | undefined
}

const Passage = memo(function Passage({ chunk, pageLabel, isFirst, heading, isTarget, spans }: PassageProps) {
  return (
    <section
      id={`chunk-${chunk.id}`}
      tabIndex={-1}
      data-page={chunk.page ?? undefined}
      aria-current={isTarget ? 'true' : undefined}
      className={`mb-4 rounded-md outline-none [content-visibility:auto] [contain-intrinsic-size:auto_200px] ${isTarget ? 'enter-right -mx-3 border-l-3 border-accent bg-tint px-3 py-1' : ''}`}
    >
      {pageLabel && (
        <div className={`mb-2 text-xs text-soft ${isFirst ? '' : 'mt-6 border-t border-line pt-1'}`}>
          {pageLabel}
        </div>
      )}
      <ChunkText text={chunk.text} type={chunk.type} heading={heading} {...(spans ? { spans } : {})} />
    </section>
  )
})

function ViewSwitch({ view, choose }: { view: 'text' | 'pages'; choose: (view: 'text' | 'pages') => void }) {
  return (
    <div className="flex gap-1 lg:hidden">
      {(['text', 'pages'] as const).map((name) => (
        <Button
          key={name}
          kind="quiet"
          aria-pressed={view === name}
          className="aria-pressed:bg-line/70 aria-pressed:text-ink"
          onClick={() => choose(name)}
        >
          {name === 'text' ? t('Text') : t('Pages')}
        </Button>
      ))}
    </div>
  )
}

interface HeadProps {
  workspace: string
  document: string
  title: string
  /** Whether the whole text has been loaded. */
  isComplete: boolean
  matches: FindResult
  panel: PanelName | undefined
  openPanel: (name: PanelName | undefined) => void
  /** Shown beside the panels on narrow windows. */
  children: ReactNode
}

/** "PDF · 3 pages · added May 4, 2026 · Contracts/lease.pdf" */
const aboutOf = ({ kind, pages, uploaded_at, filename }: Output<'getDocumentDetails'>): string =>
  [
    kindName(kind),
    pages !== null && pages > 1 && pageCount(kind, pages),
    t('added {date}', { date: formatDate(uploaded_at) }),
    filename,
  ]
    .filter(Boolean)
    .join(' · ')

const ICONS: Record<PanelName, typeof ListTree> = {
  outline: ListTree,
  entities: Users,
  versions: Versions,
  use: ChartColumn,
}

function Head({ workspace, document, title, isComplete, matches, panel, openPanel, children }: HeadProps) {
  const { data: details } = useQuery(documentDetailsQuery(workspace, document))
  const { data: membership } = useQuery(membershipQuery(workspace))
  const names = (Object.keys(PANELS) as PanelName[]).filter(
    (name) => name !== 'use' || membership?.role === 'owner',
  )
  const download = async (): Promise<void> =>
    saveFile(await api.bytes('getOriginal', { workspace_id: workspace, document_id: document }), title)
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5 border-b border-line px-4 py-2 md:px-6">
      <div className="w-full min-w-40 sm:w-auto sm:flex-1">
        <h2 className="truncate font-semibold" title={title}>
          {title}
        </h2>
        {/* The line is there before its text has loaded, so that nothing moves. */}
        <p className="min-h-4 truncate text-xs text-soft" title={details?.filename}>
          {details && aboutOf(details)}
        </p>
      </div>
      <FindField matches={matches} isComplete={isComplete} />
      <div className="flex w-full items-center sm:w-auto">
        {children}
        <div className="ml-auto flex gap-1">
          {names.map((name) => {
            const Icon = ICONS[name]
            return (
              <IconButton
                key={name}
                label={t(PANELS[name])}
                text={t(PANELS[name])}
                aria-expanded={panel === name}
                onClick={() => openPanel(panel === name ? undefined : name)}
                className={panel === name ? 'bg-line/70 text-ink' : ''}
              >
                <Icon size={16} />
              </IconButton>
            )
          })}
          <IconButton
            label={t('Download the original')}
            text={t('Original')}
            onClick={() => void download().catch((problem: Error) => announce(errorText(problem)))}
          >
            <Download size={16} />
          </IconButton>
        </div>
      </div>
    </div>
  )
}

/** Such as "3 of 12 so far": which hit is shown, and how many there are in the part of the text that has been loaded. */
function hitsText({ hitNumber, count }: FindResult, isComplete: boolean): string {
  if (count === 0 && isComplete) return t('Not found')
  const values = { hit: formatCount(hitNumber), count: formatCount(count) }
  if (isComplete) return hitNumber > 0 ? t('{hit} of {count}', values) : values.count
  return hitNumber > 0 ? t('{hit} of {count} so far', values) : t('{count} so far', values)
}

/** Enter goes to the next hit, with Shift to the previous one. Escape clears the field. */
function FindField({ matches, isComplete }: { matches: FindResult; isComplete: boolean }) {
  const { find = '' } = useSearch(FROM)
  const navigate = useNavigate(FROM)
  const setFind = useCallback(
    (to: string): void =>
      void navigate({
        search: ({ find: _, ...rest }) => (to ? { ...rest, find: to } : rest),
        replace: true,
      }),
    [navigate],
  )
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') setFind('')
    if (event.key !== 'Enter') return
    event.preventDefault()
    matches.move(event.shiftKey ? -1 : 1)
  }
  return (
    // As wide without hits as with them, so that nothing beside or below it moves.
    <search className="flex w-full min-w-0 items-center gap-1 text-sm sm:w-60">
      <input
        type="search"
        aria-label={t('Find in this document')}
        placeholder={t('Find in this document')}
        value={find}
        onChange={({ target }) => setFind(target.value)}
        onKeyDown={onKeyDown}
        className={`${toolInputClass} min-w-16 flex-1 text-ellipsis`}
      />
      {find && (
        <>
          <span role="status" className="min-w-14 text-center text-soft tabular-nums">
            {hitsText(matches, isComplete)}
          </span>
          <IconButton
            label={t('Previous hit')}
            disabled={matches.count === 0}
            onClick={() => matches.move(-1)}
          >
            <ChevronUp size={16} />
          </IconButton>
          <IconButton label={t('Next hit')} disabled={matches.count === 0} onClick={() => matches.move(1)}>
            <ChevronDown size={16} />
          </IconButton>
        </>
      )}
    </search>
  )
}
