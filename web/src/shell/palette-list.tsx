// The results of the palette (⌘K): documents, entities, workspaces and actions. Those that the page has loaded are shown at
// once, others when the service has found them.

import { keepPreviousData, type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import {
  ArrowRight,
  ChartColumn,
  FileText,
  FolderClosed,
  Keyboard,
  KeyRound,
  Languages,
  LogOut,
  type LucideIcon,
  MessageCircleQuestion,
  Plug,
  Plus,
  Search,
  Settings,
  SunMoon,
  Tag,
  Upload,
} from 'lucide-react'
import { type KeyboardEvent, useEffect, useLayoutEffect, useMemo, useState } from 'react'
import { LANGUAGE_NAMES, LANGUAGES } from '../../../src/messages/messages.ts'
import { filesOfInput, inFolder } from '../documents/selected-files.ts'
import { DocumentThumbnail } from '../documents/thumbnail.tsx'
import { startUpload } from '../documents/uploads.ts'
import { typeLabel } from '../graph/types.ts'
import { errorText } from '../language/error-text.ts'
import { language } from '../language/locale.ts'
import { t } from '../language/text.tsx'
import { announce } from '../parts/toast.tsx'
import { documentQuery, entityQuery, themesQuery, workspacesQuery } from '../queries.ts'
import { api, signOut } from '../session.ts'
import { useAllowed } from './allowed.ts'
import { ALL_WORDS_LIKENESS, fuzzyMatches, likeness, wordMatches } from './fuzzy.ts'
import type { PLACES } from './places.ts'
import { recent } from './recent.ts'
import { setLanguage } from './set-language.ts'
import { switchTheme } from './theme.ts'

const TYPING_PAUSE_MS = 150
const MAX_ITEMS = { recent: 6, actions: 8, workspaces: 5, documents: 7, entities: 6 }

interface Item {
  id: string
  label: string
  /** A type or a remark, shown beside the label. */
  note?: string
  icon: LucideIcon
  /** Of a document, whose first page is shown in place of the icon. */
  picture?: { workspace: string; id: string }
  run: () => void
}

interface Group {
  title: string
  items: Item[]
}

/** The state of the list that the field needs. */
export interface ListState {
  count: number
  /** The id of the option that Enter opens. */
  active: string | undefined
  onKeyDown: (event: KeyboardEvent) => void
  /** Opens the active option. */
  openActiveOption: () => void
}

interface Props {
  /** The id of the field. The ids of the options begin with it. */
  id: string
  typedText: string
  activeIndex: number
  setActiveIndex: (activeIndex: number) => void
  /** Called after every render of the list. */
  onListChanged: (listState: ListState) => void
  close: () => void
  show: (dialog: 'shortcuts' | 'new workspace') => void
}

export function PaletteList({
  id,
  typedText,
  activeIndex,
  setActiveIndex,
  onListChanged,
  close,
  show,
}: Props) {
  const groups = useGroups(typedText, show)
  const items = groups.flatMap((group) => group.items)
  const activeItem = items[Math.min(activeIndex, items.length - 1)]
  const optionId = (item: Item): string => `${id}-${item.id}`
  const choose = (item: Item): void => {
    close()
    item.run()
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing || items.length === 0) return
    const current = Math.min(activeIndex, items.length - 1)
    const indexByKey: Record<string, number> = {
      ArrowDown: (current + 1) % items.length,
      ArrowUp: (current - 1 + items.length) % items.length,
      PageDown: Math.min(current + 8, items.length - 1),
      PageUp: Math.max(current - 8, 0),
    }
    const newIndex = indexByKey[event.key]
    if (newIndex !== undefined) {
      event.preventDefault()
      setActiveIndex(newIndex)
    } else if (event.key === 'Enter' && activeItem) {
      event.preventDefault()
      choose(activeItem)
    }
  }
  useLayoutEffect(() => {
    const openActiveOption = (): void => activeItem && choose(activeItem)
    onListChanged({
      count: items.length,
      active: activeItem && optionId(activeItem),
      onKeyDown,
      openActiveOption,
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
          onClick={() => choose(item)}
          onMouseMove={() => setActiveIndex(items.indexOf(item))}
          className={`flex cursor-pointer items-center gap-2.5 rounded-md px-2 py-1.5 text-sm ${item === activeItem ? 'bg-tint' : ''}`}
        >
          {item.picture ? (
            <DocumentThumbnail {...item.picture} />
          ) : (
            <item.icon size={15} className="mx-0.5 shrink-0 text-soft" aria-hidden />
          )}
          <span className="min-w-0 truncate">{item.label}</span>
          {item.note && (
            <span className="ml-auto max-w-1/2 shrink-0 truncate text-xs text-soft">{item.note}</span>
          )}
        </div>
      ))}
    </div>
  ))
}

/** The items that match the typed text, in groups. The group with the best match comes first. */
function useGroups(typedText: string, show: Props['show']): Group[] {
  const queries = useQueryClient()
  const { workspace } = useParams({ strict: false })
  const openPage = useOpenPage()
  const allActions = useActions(workspace, show)
  const { isViewer } = useAllowed(workspace)
  const actions = useMemo(
    () => (isViewer ? allActions.filter(({ id }) => id !== 'upload') : allActions),
    [allActions, isViewer],
  )
  const { data: workspaces = [] } = useQuery(workspacesQuery)
  const { data: themes } = useQuery({ ...themesQuery(workspace ?? ''), enabled: workspace !== undefined })
  const results = useServiceMatches(workspace, typedText)
  return useMemo(() => {
    const workspaceItems = workspaces.map(
      (candidate): Item => ({
        id: candidate.id,
        label: candidate.name,
        icon: FolderClosed,
        ...(candidate.id === workspace ? { note: t('open') } : {}),
        run: () => openPage.workspace(candidate.id),
      }),
    )
    const documentItem = ({ id, title, heading }: FoundDocument): Item => ({
      id,
      label: title,
      icon: FileText,
      picture: { workspace: workspace ?? '', id },
      ...(heading ? { note: heading } : {}),
      run: () => openPage.document(workspace ?? '', id),
    })
    const entityItem = ({ id, name, type }: NamedEntity): Item => ({
      id,
      label: name,
      icon: Tag,
      ...(type ? { note: typeLabel(type) } : {}),
      run: () => openPage.entity(workspace ?? '', id),
    })
    if (!typedText)
      return [
        ...recentItems(queries, openPage),
        { title: t('Actions'), items: actions },
        workspaceGroup(workspaceItems),
      ]
    const documents = distinct<FoundDocument>([
      ...wordMatches(loadedDocuments(queries, workspace), typedText, ({ title }) => title),
      ...results.documents,
    ]).map(documentItem)
    // The service also finds entities by meaning. Those are shown only if no document and no entity has the name.
    const entityMatches = results.entities.filter(({ name, aliases = [] }) =>
      [name, ...aliases].some((oneName) => likeness(oneName, typedText) > 0),
    )
    const entities = distinct([
      ...wordMatches(themes?.top_entities ?? [], typedText, ({ name }) => name),
      ...(entityMatches.length > 0 || documents.length > 0 ? entityMatches : results.entities),
    ]).map(entityItem)
    const groups = [
      {
        title: t('Documents'),
        items: documents.slice(0, MAX_ITEMS.documents),
        // Also those of which only a heading or the path has the words.
        minLikeness: ALL_WORDS_LIKENESS,
      },
      { title: t('Entities'), items: entities.slice(0, MAX_ITEMS.entities) },
      { title: t('Actions'), items: fuzzyMatches(actions, typedText, labelOf).slice(0, MAX_ITEMS.actions) },
      workspaceGroup(fuzzyMatches(workspaceItems, typedText, labelOf)),
    ].filter(({ items }) => items.length > 0)
    const bestLikeness = ({ items, minLikeness = 0 }: Group & { minLikeness?: number }): number =>
      Math.max(minLikeness, ...items.map(({ label }) => likeness(label, typedText)))
    groups.sort((a, b) => bestLikeness(b) - bestLikeness(a))
    if (workspace)
      groups.push({
        title: t('In the text'),
        items: [
          {
            id: 'search',
            label: t('Search passages for “{text}”', { text: typedText }),
            icon: Search,
            run: () => openPage.search(workspace, typedText),
          },
          {
            id: 'ask',
            label: t('Ask “{text}”', { text: typedText }),
            icon: MessageCircleQuestion,
            run: () => openPage.ask(workspace, typedText),
          },
        ],
      })
    return groups
  }, [typedText, workspace, workspaces, themes, results, actions, queries, openPage])
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

const labelOf = ({ label }: Item): string => label
const workspaceGroup = (workspaceItems: Item[]): Group => ({
  title: t('Workspaces'),
  items: workspaceItems.slice(0, MAX_ITEMS.workspaces),
})
const distinct = <T extends { id: string }>(items: readonly T[]): T[] => [
  ...new Map(items.map((item) => [item.id, item])).values(),
]

/** Functions that open the pages of the console. */
function useOpenPage() {
  const navigate = useNavigate()
  return useMemo(
    () => ({
      workspace: (workspace: string) => void navigate({ to: '/w/$workspace', params: { workspace } }),
      document: (workspace: string, document: string) =>
        void navigate({ to: '/w/$workspace/d/$document', params: { workspace, document } }),
      entity: (workspace: string, entity: string) =>
        void navigate({ to: '/w/$workspace/graph/$entity', params: { workspace, entity } }),
      search: (workspace: string, pausedText: string) =>
        void navigate({ to: '/w/$workspace/search', params: { workspace }, search: { q: pausedText } }),
      ask: (workspace: string, pausedText: string) =>
        void navigate({ to: '/w/$workspace', params: { workspace }, search: { q: pausedText } }),
      place: (workspace: string, path: (typeof PLACES)[number]['to']) =>
        void navigate({ to: path, params: { workspace }, search: {} }),
      account: (path: '/keys' | '/connections' | '/usage' | '/settings') =>
        void navigate({ to: path, search: {} }),
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
  }, [workspace, openPage, show, queries, places, folder])
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

/** The documents and entities that the service finds. It is asked when typing pauses. */
function useServiceMatches(workspace: string | undefined, typedText: string) {
  const [pausedText, setQ] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setQ(typedText), TYPING_PAUSE_MS)
    return () => clearTimeout(timer)
  }, [typedText])
  const { data } = useQuery({
    queryKey: ['workspace', workspace, 'palette', pausedText],
    queryFn: async ({ signal }) => {
      const request = { workspace_id: workspace ?? '', q: pausedText }
      const [documents, entities] = await Promise.all([
        api.findDocuments({ ...request, limit: MAX_ITEMS.documents }, { signal }),
        api.listEntities({ ...request, limit: MAX_ITEMS.entities }, { signal }),
      ])
      return { documents: documents.data, entities: entities.data }
    },
    enabled: workspace !== undefined && pausedText !== '',
    placeholderData: keepPreviousData,
  })
  return useMemo(() => (typedText && data ? data : { documents: [], entities: [] }), [typedText, data])
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

/** The pages that were visited last, if their names are still in the cache. */
function recentItems(queries: QueryClient, open: OpenPage): Group[] {
  const items = recent().flatMap(({ kind, workspace, id }): Item[] => {
    if (kind === 'document') {
      const title = queries.getQueryData(documentQuery(workspace, id).queryKey)?.pages[0]?.title
      return title
        ? [
            {
              id,
              label: title,
              icon: FileText,
              picture: { workspace, id },
              run: () => open.document(workspace, id),
            },
          ]
        : []
    }
    const name = queries.getQueryData(entityQuery(workspace, id).queryKey)?.entity.name
    return name ? [{ id, label: name, icon: Tag, run: () => open.entity(workspace, id) }] : []
  })
  return items.length > 0 ? [{ title: t('Recent'), items: items.slice(0, MAX_ITEMS.recent) }] : []
}
