// What ⌘K finds by a few letters: documents, entities, workspaces and actions. Loaded ones are found at once, the others by the
// service.

import { keepPreviousData, type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import {
  ArrowRight,
  ChartColumn,
  FileText,
  FolderClosed,
  Keyboard,
  KeyRound,
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
import { filesOfInput } from '../documents/selected-files.ts'
import { startUpload } from '../documents/uploads.ts'
import { announce } from '../parts/toast.tsx'
import { documentQuery, entityQuery, themesQuery, workspacesQuery } from '../queries.ts'
import { api, signOut } from '../session.ts'
import { fitting, holding, likeness } from './fuzzy.ts'
import { PLACES } from './places.ts'
import { recent } from './recent.ts'
import { switchTheme } from './theme.ts'

const PAUSE_MS = 150
const MAX_ITEMS = { recent: 6, actions: 8, workspaces: 5, documents: 7, entities: 6 }

interface Item {
  id: string
  label: string
  /** Shown beside the label: a type, a workspace. */
  note?: string
  icon: LucideIcon
  run: () => void
}

interface Group {
  title: string
  items: Item[]
}

/** The state of the list that the field needs. */
export interface Listed {
  count: number
  /** The id of the option that Enter opens. */
  active: string | undefined
  onKeyDown: (event: KeyboardEvent) => void
  /** Opens that option. */
  enter: () => void
}

interface Props {
  /** The id of the field. Those of the options begin with it. */
  id: string
  typed: string
  at: number
  setAt: (at: number) => void
  /** Called whenever the list has changed. */
  tell: (listed: Listed) => void
  close: () => void
  show: (dialog: 'shortcuts' | 'new workspace') => void
}

export function PaletteList({ id, typed, at, setAt, tell, close, show }: Props) {
  const groups = useGroups(typed, show)
  const items = groups.flatMap((group) => group.items)
  const active = items[Math.min(at, items.length - 1)]
  const optionId = (item: Item): string => `${id}-${item.id}`
  const choose = (item: Item): void => {
    close()
    item.run()
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing || items.length === 0) return
    const now = Math.min(at, items.length - 1)
    const to: Record<string, number> = {
      ArrowDown: (now + 1) % items.length,
      ArrowUp: (now - 1 + items.length) % items.length,
      PageDown: Math.min(now + 8, items.length - 1),
      PageUp: Math.max(now - 8, 0),
    }
    const next = to[event.key]
    if (next !== undefined) {
      event.preventDefault()
      setAt(next)
    } else if (event.key === 'Enter' && active) {
      event.preventDefault()
      choose(active)
    }
  }
  useLayoutEffect(() => {
    const enter = (): void => active && choose(active)
    tell({ count: items.length, active: active && optionId(active), onKeyDown, enter })
  })
  useEffect(() => {
    if (active) document.getElementById(optionId(active))?.scrollIntoView({ block: 'nearest' })
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
          aria-selected={item === active}
          onClick={() => choose(item)}
          onMouseMove={() => setAt(items.indexOf(item))}
          className={`flex cursor-pointer items-center gap-2.5 rounded-md px-2 py-1.5 text-sm ${item === active ? 'bg-tint' : ''}`}
        >
          <item.icon size={15} className="shrink-0 text-soft" aria-hidden />
          <span className="min-w-0 truncate">{item.label}</span>
          {item.note && <span className="ml-auto shrink-0 text-xs text-soft">{item.note}</span>}
        </div>
      ))}
    </div>
  ))
}

/** The matches for the typed text. The group with the best match comes first. */
function useGroups(typed: string, show: Props['show']): Group[] {
  const queries = useQueryClient()
  const { workspace } = useParams({ strict: false })
  const open = useOpen()
  const actions = useActions(workspace, show)
  const { data: workspaces = [] } = useQuery(workspacesQuery)
  const { data: themes } = useQuery({ ...themesQuery(workspace ?? ''), enabled: workspace !== undefined })
  const results = useFound(workspace, typed)
  return useMemo(() => {
    const rooms = workspaces.map(
      (one): Item => ({
        id: one.id,
        label: one.name,
        icon: FolderClosed,
        ...(one.id === workspace ? { note: 'this one' } : {}),
        run: () => open.workspace(one.id),
      }),
    )
    const documentItem = (one: { id: string; title: string }): Item => ({
      id: one.id,
      label: one.title,
      icon: FileText,
      run: () => open.document(workspace ?? '', one.id),
    })
    const entityItem = (one: { id: string; name: string; type?: string | null | undefined }): Item => ({
      id: one.id,
      label: one.name,
      icon: Tag,
      ...(one.type ? { note: one.type.toLowerCase() } : {}),
      run: () => open.entity(workspace ?? '', one.id),
    })
    if (!typed)
      return [...recentItems(queries, open), { title: 'Actions', items: actions }, workspaceGroup(rooms)]
    const documents = distinct([
      ...holding(loadedDocuments(queries, workspace), typed, ({ title }) => title),
      ...results.documents,
    ]).map(documentItem)
    // The service also finds them by meaning. Those are useful if nothing has the name.
    const entityMatches = results.entities.filter(({ name, aliases = [] }) =>
      [name, ...aliases].some((one) => likeness(one, typed) > 0),
    )
    const entities = distinct([
      ...holding(themes?.top_entities ?? [], typed, ({ name }) => name),
      ...(entityMatches.length > 0 || documents.length > 0 ? entityMatches : results.entities),
    ]).map(entityItem)
    const groups = [
      { title: 'Actions', items: fitting(actions, typed, labelOf).slice(0, MAX_ITEMS.actions) },
      workspaceGroup(fitting(rooms, typed, labelOf)),
      { title: 'Documents', items: documents.slice(0, MAX_ITEMS.documents) },
      { title: 'Entities', items: entities.slice(0, MAX_ITEMS.entities) },
    ].filter(({ items }) => items.length > 0)
    const best = ({ items }: Group): number => Math.max(...items.map(({ label }) => likeness(label, typed)))
    groups.sort((a, b) => best(b) - best(a))
    if (workspace)
      groups.push({
        title: 'In the text',
        items: [
          {
            id: 'search',
            label: `Search passages for “${typed}”`,
            icon: Search,
            run: () => open.search(workspace, typed),
          },
          {
            id: 'ask',
            label: `Ask “${typed}”`,
            icon: MessageCircleQuestion,
            run: () => open.ask(workspace, typed),
          },
        ],
      })
    return groups
  }, [typed, workspace, workspaces, themes, results, actions, queries, open])
}

const labelOf = ({ label }: Item): string => label
const workspaceGroup = (rooms: Item[]): Group => ({
  title: 'Workspaces',
  items: rooms.slice(0, MAX_ITEMS.workspaces),
})
const distinct = <T extends { id: string }>(items: readonly T[]): T[] => [
  ...new Map(items.map((item) => [item.id, item])).values(),
]

/** Opens pages of the console by what they show. */
function useOpen() {
  const navigate = useNavigate()
  return useMemo(
    () => ({
      workspace: (workspace: string) => void navigate({ to: '/w/$workspace', params: { workspace } }),
      document: (workspace: string, document: string) =>
        void navigate({ to: '/w/$workspace/d/$document', params: { workspace, document } }),
      entity: (workspace: string, entity: string) =>
        void navigate({ to: '/w/$workspace/graph/$entity', params: { workspace, entity } }),
      search: (workspace: string, q: string) =>
        void navigate({ to: '/w/$workspace/search', params: { workspace }, search: { q } }),
      ask: (workspace: string, q: string) =>
        void navigate({ to: '/w/$workspace', params: { workspace }, search: { q } }),
      place: (workspace: string, to: (typeof PLACES)[number]['to']) =>
        void navigate({ to, params: { workspace }, search: {} }),
      account: (to: '/keys' | '/connections' | '/usage' | '/settings') => void navigate({ to, search: {} }),
    }),
    [navigate],
  )
}
type Open = ReturnType<typeof useOpen>

function useActions(workspace: string | undefined, show: Props['show']): Item[] {
  const open = useOpen()
  const queries = useQueryClient()
  return useMemo(() => {
    const places = workspace
      ? PLACES.map(
          ({ to, label }): Item => ({
            id: `go-${label}`,
            label: `Go to ${label}`,
            icon: ArrowRight,
            run: () => open.place(workspace, to),
          }),
        )
      : []
    const upload: Item[] = workspace
      ? [{ id: 'upload', label: 'Upload files', icon: Upload, run: () => chooseFiles(workspace) }]
      : []
    return [
      ...places,
      ...upload,
      { id: 'new', label: 'New workspace', icon: Plus, run: () => show('new workspace') },
      { id: 'theme', label: 'Switch between light and dark theme', icon: SunMoon, run: switchTheme },
      { id: 'keys', label: 'Keyboard shortcuts', icon: Keyboard, run: () => show('shortcuts') },
      { id: 'api-keys', label: 'API keys', icon: KeyRound, run: () => open.account('/keys') },
      { id: 'connections', label: 'Connections', icon: Plug, run: () => open.account('/connections') },
      { id: 'usage', label: 'Usage', icon: ChartColumn, run: () => open.account('/usage') },
      { id: 'account', label: 'Account and password', icon: Settings, run: () => open.account('/settings') },
      {
        id: 'sign-out',
        label: 'Sign out',
        icon: LogOut,
        run: () => void signOut(queries).catch((error: Error) => announce(error.message)),
      },
    ]
  }, [workspace, open, show, queries])
}

function chooseFiles(workspace: string): void {
  const input = document.createElement('input')
  input.type = 'file'
  input.multiple = true
  input.onchange = () => input.files && startUpload(workspace, filesOfInput(input.files))
  input.click()
}

/** What the service finds a moment after the typing ends. */
function useFound(workspace: string | undefined, typed: string) {
  const [q, setQ] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setQ(typed), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [typed])
  const { data } = useQuery({
    queryKey: ['workspace', workspace, 'palette', q],
    queryFn: async ({ signal }) => {
      const request = { workspace_id: workspace ?? '', q }
      const [documents, entities] = await Promise.all([
        api.listDocuments({ ...request, limit: MAX_ITEMS.documents }, { signal }),
        api.listEntities({ ...request, limit: MAX_ITEMS.entities }, { signal }),
      ])
      return { documents: documents.data, entities: entities.data }
    },
    enabled: workspace !== undefined && q !== '',
    placeholderData: keepPreviousData,
  })
  return useMemo(() => (typed && data ? data : { documents: [], entities: [] }), [typed, data])
}

/** Documents of lists that have been loaded. */
function loadedDocuments(
  queries: QueryClient,
  workspace: string | undefined,
): { id: string; title: string }[] {
  type Pages = { pages?: { data: { id: string; title: string }[] }[] }
  return queries
    .getQueriesData<Pages>({ queryKey: ['workspace', workspace, 'documents'] })
    .flatMap(([, list]) => list?.pages?.flatMap(({ data }) => data) ?? [])
}

/** The pages visited last whose names are still known. */
function recentItems(queries: QueryClient, open: Open): Group[] {
  const items = recent().flatMap(({ kind, workspace, id }): Item[] => {
    if (kind === 'document') {
      const title = queries.getQueryData(documentQuery(workspace, id).queryKey)?.pages[0]?.title
      return title ? [{ id, label: title, icon: FileText, run: () => open.document(workspace, id) }] : []
    }
    const name = queries.getQueryData(entityQuery(workspace, id).queryKey)?.entity.name
    return name ? [{ id, label: name, icon: Tag, run: () => open.entity(workspace, id) }] : []
  })
  return items.length > 0 ? [{ title: 'Recent', items: items.slice(0, MAX_ITEMS.recent) }] : []
}
