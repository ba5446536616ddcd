// The results of the palette (⌘K): documents, passages, names, conversations, workspaces and actions. Those that the page has
// loaded are shown at once, others when the service has found them.

import { keepPreviousData, type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import {
  ArrowRight,
  ChartColumn,
  Coins,
  Cpu,
  FileText,
  FolderClosed,
  HeartPulse,
  Keyboard,
  KeyRound,
  Languages,
  LogOut,
  type LucideIcon,
  MessageCircleQuestion,
  MessagesSquare,
  Plug,
  Plus,
  Search,
  Settings,
  SunMoon,
  Tag,
  TextQuote,
  Trash2,
  Upload,
  Users,
} from 'lucide-react'
import { type KeyboardEvent, useEffect, useLayoutEffect, useMemo, useState } from 'react'
import { LANGUAGE_NAMES, LANGUAGES } from '../../../src/messages/messages.ts'
import { accountQuery } from '../account/queries.ts'
import { filesOfInput, inFolder } from '../documents/selected-files.ts'
import { DocumentThumbnail } from '../documents/thumbnail.tsx'
import { startUpload } from '../documents/uploads.ts'
import { typeLabel } from '../graph/types.ts'
import { errorText } from '../language/error-text.ts'
import { language } from '../language/locale.ts'
import { message, plural, t } from '../language/text.tsx'
import { excerptStart } from '../parts/excerpt.ts'
import { Marked } from '../parts/highlight.tsx'
import { snippetOf } from '../parts/snippet.ts'
import { querySpans } from '../parts/spans.ts'
import { announce } from '../parts/toast.tsx'
import { usePausedText } from '../parts/use-paused-text.ts'
import {
  type Chunk,
  documentQuery,
  entityQuery,
  recentDocumentsQuery,
  themesQuery,
  workspacesQuery,
} from '../queries.ts'
import { api, signOut } from '../session.ts'
import { useAllowed, useMaySeeUsage } from './allowed.ts'
import { fuzzyMatches, likeness, wordMatches } from './fuzzy.ts'
import type { PLACES } from './places.ts'
import { lastWorkspace, recent } from './recent.ts'
import { setLanguage } from './set-language.ts'
import { switchTheme } from './theme.ts'

const TYPING_PAUSE_MS = 150
// Passages cost the service more than names.
const PASSAGE_TYPING_PAUSE_MS = 300
const MIN_PASSAGE_QUERY_LETTERS = 3
const MAX_ITEMS = {
  recent: 6,
  actions: 8,
  workspaces: 5,
  documents: 7,
  passages: 3,
  entities: 6,
  conversations: 4,
}

interface Item {
  id: string
  label: string
  /** A type or a remark, shown beside the label. */
  note?: string
  /** A line of text below the label, in which the words of `marked` are marked. */
  excerpt?: string
  marked?: string
  icon: LucideIcon
  /** Of a document, whose first page is shown in place of the icon. */
  picture?: { workspace: string; id: string }
  run: () => void
}

interface Group {
  title: string
  items: Item[]
}

interface Matches {
  groups: Group[]
  /**
   * Whether the first item may still change, because results for the typed text are on their way. Names of the workspace's themes,
   * which are asked for once and not for a text, are not waited for.
   */
  isFirstPending: boolean
}

/** The state of the list that the field needs. */
export interface ListState {
  /** What is said about the list: how many results it has. */
  status: string
  /** Whether everybody reads the status. Otherwise it is for screen readers only. */
  isStatusVisible: boolean
  /** Whether Enter was pressed and waits for the results of the typed text. */
  isWaiting: boolean
  /** The id of the option that Enter opens. */
  active: string | undefined
  onKeyDown: (event: KeyboardEvent) => void
  /** Opens the option that was chosen, else the first one, as soon as there are results for the typed text. */
  onEnter: () => void
}

interface Props {
  /** The id of the field. The ids of the options begin with it. */
  id: string
  typedText: string
  /** The item that was chosen by key or mouse. Undefined: the first one. */
  activeId: string | undefined
  setActiveId: (activeId: string | undefined) => void
  /** Called after every render of the list. */
  onListChanged: (listState: ListState) => void
  close: () => void
  show: (dialog: 'shortcuts' | 'new workspace') => void
}

export function PaletteList({ id, typedText, activeId, setActiveId, onListChanged, close, show }: Props) {
  // The text at which Enter was pressed, unless something was typed or an arrow key was pressed since.
  const [enteredText, setEnteredText] = useState<string>()
  const isEnterPressed = enteredText === typedText
  const { groups, isFirstPending } = useGroups(typedText, show, isEnterPressed)
  const items = groups.flatMap((group) => group.items)
  const chosenIndex = items.findIndex((item) => item.id === activeId)
  const activeIndex = Math.max(chosenIndex, 0)
  const activeItem = items[activeIndex]
  const optionId = (item: Item): string => `${id}-${item.id}`
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever another text is typed
  useEffect(() => () => setEnteredText(undefined), [typedText])
  // An item opens without a question to the service. If it was removed, its page says so.
  const open = (item: Item): void => {
    close()
    item.run()
  }
  const onEnter = (): void => {
    const chosenItem = items[chosenIndex]
    if (chosenItem) open(chosenItem)
    else setEnteredText(typedText)
  }
  const [firstItem] = items
  useEffect(() => {
    if (!isEnterPressed || isFirstPending) return
    setEnteredText(undefined)
    if (firstItem) open(firstItem)
  })
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return
    const indexByKey: Record<string, number> = {
      ArrowDown: (activeIndex + 1) % items.length,
      ArrowUp: (activeIndex - 1 + items.length) % items.length,
      PageDown: Math.min(activeIndex + 8, items.length - 1),
      PageUp: Math.max(activeIndex - 8, 0),
    }
    const newIndex = indexByKey[event.key]
    if (newIndex !== undefined && items.length > 0) {
      event.preventDefault()
      setEnteredText(undefined)
      setActiveId(items[newIndex]?.id)
    } else if (event.key === 'Enter') {
      event.preventDefault()
      onEnter()
    }
  }
  const isWaiting = isEnterPressed && isFirstPending
  useLayoutEffect(() => {
    const result = items.length > 0 ? plural(items.length, 'result') : t('Nothing found.')
    onListChanged({
      status: isWaiting ? t('Loading') : result,
      isStatusVisible: isWaiting || items.length === 0,
      isWaiting,
      active: activeItem && optionId(activeItem),
      onKeyDown,
      onEnter,
    })
  })
  useEffect(() => {
    if (activeItem) document.getElementById(optionId(activeItem))?.scrollIntoView({ block: 'nearest' })
  })
  return groups.map((group) => (
    // biome-ignore lint/a11y/useSemanticElements: a group of options, not of fields
    <div key={group.title} role="group" aria-label={group.title}>
      <div aria-hidden className="px-2 pt-2 pb-1 text-xs font-medium text-soft">
        {group.title}
      </div>
      {group.items.map((item) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are heard by the combobox
        // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the combobox
        <div
          key={item.id}
          id={optionId(item)}
          role="option"
          aria-selected={item === activeItem}
          // The focus stays in the field: the palette may stay open.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => open(item)}
          onMouseMove={() => setActiveId(item.id)}
          className={`flex cursor-pointer items-center gap-2.5 rounded-md px-2 py-1.5 text-sm ${item === activeItem ? 'bg-tint' : ''}`}
        >
          {item.picture ? (
            <DocumentThumbnail {...item.picture} />
          ) : (
            <item.icon size={15} className="mx-0.5 shrink-0 text-soft" aria-hidden />
          )}
          <span className="min-w-0 truncate">
            {item.label}
            {item.excerpt && (
              <span className="block truncate text-xs text-soft [&_mark]:text-ink">
                <Marked text={item.excerpt} spans={querySpans(item.excerpt, item.marked ?? '')} />
              </span>
            )}
          </span>
          {item.note && (
            <span className="ml-auto max-w-1/2 shrink-0 truncate text-xs text-soft">{item.note}</span>
          )}
        </div>
      ))}
    </div>
  ))
}

/** The items that match the typed text, in groups: documents, passages, then the others, of which that with the best match first. */
function useGroups(typedText: string, show: Props['show'], isEnterPressed: boolean): Matches {
  const queries = useQueryClient()
  const { workspace: openWorkspace } = useParams({ strict: false })
  const openPage = useOpenPage()
  const allActions = useActions(openWorkspace, show)
  const { isViewer } = useAllowed(openWorkspace)
  const maySeeUsage = useMaySeeUsage()
  const actions = useMemo(
    () => allActions.filter(({ id }) => (id === 'upload' ? !isViewer : id !== 'usage' || maySeeUsage)),
    [allActions, isViewer, maySeeUsage],
  )
  const { data: workspaces = [], isPending: areWorkspacesPending } = useQuery(workspacesQuery)
  // On a page of no workspace, it searches the one that the reader was in last, and says its name.
  const lastOne = workspaces.find(({ id }) => id === lastWorkspace()) ?? workspaces[0]
  const workspace = openWorkspace ?? lastOne?.id
  const place = openWorkspace === undefined && workspaces.length > 1 ? lastOne?.name : undefined
  const { data: themes } = useQuery({ ...themesQuery(workspace ?? ''), enabled: workspace !== undefined })
  const { data: recentDocuments = [] } = useQuery({
    ...recentDocumentsQuery(workspace ?? '', MAX_ITEMS.recent),
    enabled: workspace !== undefined,
  })
  const { matches: results, isPending } = useServiceMatches(workspace, typedText, isEnterPressed)
  const { passages, isPending: arePassagesPending } = usePassages(workspace, typedText, isEnterPressed)
  return useMemo(() => {
    const workspaceItems = workspaces.map(
      (candidate): Item => ({
        id: candidate.id,
        label: candidate.name,
        icon: FolderClosed,
        ...(candidate.id === openWorkspace ? { note: t('open') } : {}),
        run: () => openPage.workspace(candidate.id),
      }),
    )
    const documentItem = ({ id, title, heading }: FoundDocument): Item => {
      const note = place ?? heading
      return {
        id,
        label: title,
        icon: FileText,
        picture: { workspace: workspace ?? '', id },
        ...(note ? { note } : {}),
        run: () => openPage.document(workspace ?? '', id),
      }
    }
    const entityItem = ({ id, name, type }: NamedEntity): Item => ({
      id,
      label: name,
      icon: Tag,
      ...noteOf(type && type !== 'other' && typeLabel(type), place),
      run: () => openPage.entity(workspace ?? '', id),
    })
    if (!typedText) {
      const nameOfOther = (id: string): string | undefined =>
        id === openWorkspace ? undefined : workspaces.find((one) => one.id === id)?.name
      const groups = [
        ...recentGroup(recentItems(queries, openPage, nameOfOther), recentDocuments.map(documentItem)),
        { title: t('Actions'), items: actions },
        workspaceGroup(workspaceItems),
      ]
      return { groups, isFirstPending: false }
    }
    const documents = distinct<FoundDocument>([
      ...wordMatches(loadedDocuments(queries, workspace), typedText, ({ title }) => title),
      ...results.documents,
    ]).map(documentItem)
    // The service also finds entities by meaning. Those are shown only if no document and no entity has the name, and after the
    // passages, because nobody who typed other words looks for these names.
    const entityMatches = results.entities.filter(({ name, aliases = [] }) =>
      [name, ...aliases].some((oneName) => likeness(oneName, typedText) > 0),
    )
    const entities = distinct([
      ...wordMatches(themes?.top_entities ?? [], typedText, ({ name }) => name),
      ...entityMatches,
    ]).map(entityItem)
    const relatedEntities =
      entities.length > 0 || documents.length > 0 ? [] : results.entities.map(entityItem)
    const conversationItems = results.conversations.map(
      ({ id, title }): Item => ({
        id,
        label: title,
        icon: MessagesSquare,
        ...noteOf(place),
        run: () => openPage.conversation(workspace ?? '', id),
      }),
    )
    const passageItems = passages.map(
      (chunk): Item => ({
        id: `passage-${chunk.id}`,
        label: chunk.document_title ?? '',
        excerpt: lineOf(chunk.text, typedText),
        marked: typedText,
        icon: TextQuote,
        ...noteOf(chunk.page && t('page {page}', { page: chunk.page }), place),
        run: () => openPage.passage(workspace ?? '', chunk, typedText),
      }),
    )
    const groups = [
      { title: t('Names'), items: entities.slice(0, MAX_ITEMS.entities) },
      { title: t('Conversations'), items: conversationItems },
      { title: t('Actions'), items: fuzzyMatches(actions, typedText, labelOf).slice(0, MAX_ITEMS.actions) },
      workspaceGroup(fuzzyMatches(workspaceItems, typedText, labelOf)),
    ].filter(({ items }) => items.length > 0)
    const bestLikeness = ({ items }: Group): number =>
      Math.max(...items.map(({ label }) => likeness(label, typedText)))
    groups.sort((a, b) => bestLikeness(b) - bestLikeness(a))
    const passageGroup = { title: t('Passages'), items: passageItems }
    if (documents.length > 0)
      groups.unshift({ title: t('Documents'), items: documents.slice(0, MAX_ITEMS.documents) }, passageGroup)
    // Without a document, a name or an action that matches is what Enter opens.
    else groups.push(passageGroup)
    if (relatedEntities.length > 0)
      groups.push({ title: t('Names'), items: relatedEntities.slice(0, MAX_ITEMS.entities) })
    const isPassageFirst = groups[0] === passageGroup
    if (workspace)
      groups.push({
        title: t('In the text'),
        items: [
          {
            id: `search-${workspace}`,
            label: t('Search passages for “{text}”', { text: typedText }),
            icon: Search,
            ...noteOf(place),
            run: () => openPage.search(workspace, typedText),
          },
          {
            id: `ask-${workspace}`,
            label: t('Ask “{text}”', { text: typedText }),
            icon: MessageCircleQuestion,
            ...noteOf(place),
            run: () => openPage.ask(workspace, typedText),
          },
        ],
      })
    return {
      groups: groups.filter(({ items }) => items.length > 0),
      isFirstPending:
        (workspace === undefined && areWorkspacesPending) ||
        isPending ||
        (isPassageFirst && arePassagesPending),
    }
  }, [
    typedText,
    workspace,
    openWorkspace,
    place,
    workspaces,
    themes,
    recentDocuments,
    areWorkspacesPending,
    results,
    isPending,
    passages,
    arePassagesPending,
    actions,
    queries,
    openPage,
  ])
}

interface FoundDocument {
  id: string
  title: string
  /** The heading that has the words, if the title has not. */
  heading?: string | null | undefined
}

interface NamedEntity {
  id: string
  name: string
  type?: string | null | undefined
}

/** The note of an item, made of the parts that there are. */
function noteOf(...parts: unknown[]): Pick<Item, 'note'> {
  const note = parts.filter(Boolean).join(' · ')
  return note ? { note } : {}
}

const labelOf = ({ label }: Item): string => label
const workspaceGroup = (workspaceItems: Item[]): Group => ({
  title: t('Workspaces'),
  items: workspaceItems.slice(0, MAX_ITEMS.workspaces),
})
const distinct = <T extends { id: string }>(items: readonly T[]): T[] => [
  ...new Map(items.map((item) => [item.id, item])).values(),
]

type AccountPath =
  | '/keys'
  | '/connections'
  | '/usage'
  | '/settings'
  | '/trash'
  | (typeof ADMINISTRATION)[number]['to']

/** The pages of administrators. */
const ADMINISTRATION = [
  { to: '/people', label: message('People'), icon: Users },
  { to: '/models', label: message('Models'), icon: Cpu },
  { to: '/spending', label: message('Spending'), icon: Coins },
  { to: '/health', label: message('Health'), icon: HeartPulse },
] as const

/** Functions that open the pages of the console. */
function useOpenPage() {
  const navigate = useNavigate()
  return useMemo(
    () => ({
      workspace: (workspace: string) => void navigate({ to: '/w/$workspace', params: { workspace } }),
      document: (workspace: string, document: string) =>
        void navigate({ to: '/w/$workspace/d/$document', params: { workspace, document } }),
      passage: (workspace: string, chunk: Chunk, find: string) =>
        void navigate({
          to: '/w/$workspace/d/$document',
          params: { workspace, document: chunk.document_id ?? '' },
          search: { chunk: chunk.id, ...(chunk.page ? { page: chunk.page } : {}), find },
        }),
      conversation: (workspace: string, thread: string) =>
        void navigate({ to: '/w/$workspace', params: { workspace }, search: { thread } }),
      entity: (workspace: string, entity: string) =>
        void navigate({ to: '/w/$workspace/graph/$entity', params: { workspace, entity } }),
      search: (workspace: string, pausedText: string) =>
        void navigate({ to: '/w/$workspace/search', params: { workspace }, search: { q: pausedText } }),
      ask: (workspace: string, pausedText: string) =>
        void navigate({ to: '/w/$workspace', params: { workspace }, search: { q: pausedText } }),
      place: (workspace: string, path: (typeof PLACES)[number]['to']) =>
        void navigate({ to: path, params: { workspace }, search: {} }),
      account: (path: AccountPath) => void navigate({ to: path, search: {} }),
    }),
    [navigate],
  )
}
type OpenPage = ReturnType<typeof useOpenPage>

function useActions(workspace: string | undefined, show: Props['show']): Item[] {
  const openPage = useOpenPage()
  const queries = useQueryClient()
  const { places } = useAllowed(workspace)
  const { folder = '' } = useSearch({ strict: false })
  const { data: me } = useQuery(accountQuery)
  const isAdmin = me?.admin === true
  return useMemo(() => {
    const pageItems = workspace
      ? places.map(
          ({ to: path, label }): Item => ({
            id: `go-${label}`,
            label: t('Go to {place}', { place: t(label) }),
            icon: ArrowRight,
            run: () => openPage.place(workspace, path),
          }),
        )
      : []
    const upload: Item[] = workspace
      ? [{ id: 'upload', label: t('Upload files'), icon: Upload, run: () => chooseFiles(workspace, folder) }]
      : []
    return [
      ...pageItems,
      ...upload,
      { id: 'new', label: t('New workspace'), icon: Plus, run: () => show('new workspace') },
      { id: 'theme', label: t('Switch between light and dark theme'), icon: SunMoon, run: switchTheme },
      ...languageItems(),
      { id: 'keys', label: t('Keyboard shortcuts'), icon: Keyboard, run: () => show('shortcuts') },
      { id: 'api-keys', label: t('API keys'), icon: KeyRound, run: () => openPage.account('/keys') },
      { id: 'connections', label: t('Connections'), icon: Plug, run: () => openPage.account('/connections') },
      { id: 'usage', label: t('Usage'), icon: ChartColumn, run: () => openPage.account('/usage') },
      { id: 'trash', label: t('Trash'), icon: Trash2, run: () => openPage.account('/trash') },
      ...(isAdmin
        ? ADMINISTRATION.map(({ to, label, icon }) => ({
            id: to,
            label: t(label),
            icon,
            run: () => openPage.account(to),
          }))
        : []),
      {
        id: 'account',
        label: t('Account and password'),
        icon: Settings,
        run: () => openPage.account('/settings'),
      },
      {
        id: 'sign-out',
        label: t('Sign out'),
        icon: LogOut,
        run: () => void signOut(queries).catch((error: Error) => announce(errorText(error))),
      },
    ]
  }, [workspace, openPage, show, queries, places, folder, isAdmin])
}

/** The other languages, each named in itself. */
const languageItems = (): Item[] =>
  LANGUAGES.filter((other) => other !== language).map((other) => ({
    id: `language-${other}`,
    label: t('Language: {name}', { name: LANGUAGE_NAMES[other] }),
    icon: Languages,
    run: () => void setLanguage(other),
  }))

function chooseFiles(workspace: string, folder: string): void {
  const input = document.createElement('input')
  input.type = 'file'
  input.multiple = true
  input.onchange = () => input.files && startUpload(workspace, inFolder(filesOfInput(input.files), folder))
  input.click()
}

const NO_MATCHES = { documents: [], entities: [], conversations: [] }

/** The documents, entities and conversations that the service finds. It is asked when typing pauses, or Enter was pressed. */
function useServiceMatches(workspace: string | undefined, typedText: string, isEnterPressed: boolean) {
  const lastPausedText = usePausedText(typedText, TYPING_PAUSE_MS)
  const pausedText = isEnterPressed ? typedText : lastPausedText
  const { data, isFetching, isPlaceholderData, failureCount } = useQuery({
    queryKey: ['workspace', workspace, 'palette', pausedText],
    queryFn: async ({ signal }) => {
      const request = { workspace_id: workspace ?? '', q: pausedText }
      const [documents, entities, conversations] = await Promise.all([
        api.findDocuments({ ...request, limit: MAX_ITEMS.documents }, { signal }),
        api.listEntities({ ...request, limit: MAX_ITEMS.entities }, { signal }),
        api.listThreads({ ...request, limit: MAX_ITEMS.conversations }, { signal }),
      ])
      return { documents: documents.data, entities: entities.data, conversations: conversations.data }
    },
    enabled: workspace !== undefined && pausedText !== '',
    placeholderData: keepPreviousData,
  })
  // Enter does not wait for what is asked again after a failure. What an earlier text had is then no result of this one.
  const hasFailed = failureCount > 0
  return {
    matches: typedText && data && !(hasFailed && isPlaceholderData) ? data : NO_MATCHES,
    isPending: workspace !== undefined && ((isFetching && !hasFailed) || pausedText !== typedText),
  }
}

const NO_PASSAGES: Chunk[] = []

/** The passages that the search finds. */
function usePassages(workspace: string | undefined, typedText: string, isEnterPressed: boolean) {
  const pausedText = usePausedText(typedText, PASSAGE_TYPING_PAUSE_MS)
  const query = isEnterPressed ? typedText : pausedText
  const { data, isFetching, isPlaceholderData, failureCount } = useQuery({
    queryKey: ['workspace', workspace, 'palette passages', query],
    queryFn: async ({ signal }) => {
      const request = { workspace_id: workspace ?? '', query, limit: MAX_ITEMS.passages, preview: true }
      return (await api.search(request, { signal })).data
    },
    enabled: workspace !== undefined && query.length >= MIN_PASSAGE_QUERY_LETTERS,
    placeholderData: keepPreviousData,
  })
  const isSearched = workspace !== undefined && typedText.length >= MIN_PASSAGE_QUERY_LETTERS
  const hasFailed = failureCount > 0
  return {
    passages: isSearched && data && !(hasFailed && isPlaceholderData) ? data : NO_PASSAGES,
    isPending: isSearched && ((isFetching && !hasFailed) || query !== typedText),
  }
}

const MAX_LETTERS_BEFORE_MARK = 32

/** The line of a passage that has the words, from shortly before the first of them. */
function lineOf(passage: string, query: string): string {
  const text = snippetOf(passage).replaceAll('\n', ' ')
  const spans = querySpans(text, query)
  const sentence = excerptStart(text, spans)
  const mark = spans.find(({ start }) => start >= sentence)?.start ?? sentence
  if (mark - sentence <= MAX_LETTERS_BEFORE_MARK) return text.slice(sentence)
  const from = mark - MAX_LETTERS_BEFORE_MARK
  return `… ${text.slice(from + text.slice(from).search(/\s|$/) + 1)}`
}

/** The documents in lists that have been loaded. */
function loadedDocuments(
  queries: QueryClient,
  workspace: string | undefined,
): { id: string; title: string }[] {
  type Pages = { pages?: { data: { id: string; title: string }[] }[] }
  return queries
    .getQueriesData<Pages>({ queryKey: ['workspace', workspace, 'documents'] })
    .flatMap(([, list]) => list?.pages?.flatMap(({ data }) => data) ?? [])
}

/** What this page has visited comes first, then what the caller has opened in any browser. */
function recentGroup(visited: readonly Item[], opened: readonly Item[]): Group[] {
  const items = distinct([...visited, ...opened]).slice(0, MAX_ITEMS.recent)
  return items.length > 0 ? [{ title: t('Recent'), items }] : []
}

/**
 * The pages that were visited last, if their names are still in the cache.
 * @param nameOfOther the name of a workspace, unless it is the one that is open
 */
function recentItems(
  queries: QueryClient,
  open: OpenPage,
  nameOfOther: (workspace: string) => string | undefined,
): Item[] {
  return recent().flatMap(({ kind, workspace, id }): Item[] => {
    if (kind === 'document') {
      const title = queries.getQueryData(documentQuery(workspace, id).queryKey)?.pages[0]?.title
      return title
        ? [
            {
              id,
              label: title,
              icon: FileText,
              picture: { workspace, id },
              ...noteOf(nameOfOther(workspace)),
              run: () => open.document(workspace, id),
            },
          ]
        : []
    }
    const name = queries.getQueryData(entityQuery(workspace, id).queryKey)?.entity.name
    return name
      ? [
          {
            id,
            label: name,
            icon: Tag,
            ...noteOf(nameOfOther(workspace)),
            run: () => open.entity(workspace, id),
          },
        ]
      : []
  })
}
