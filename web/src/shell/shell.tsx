// The frame of every page: workspaces on the left, the page on the right. On narrow windows the left side opens over the page.

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, Outlet, useNavigate, useParams, useRouter } from '@tanstack/react-router'
import {
  ChartColumn,
  Coins,
  Cpu,
  HeartPulse,
  Keyboard,
  KeyRound,
  Languages,
  Menu,
  PanelLeftClose,
  Plug,
  Plus,
  Search,
  Settings,
  SunMoon,
  Trash2,
  Users,
} from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { LANGUAGE_NAMES } from '../../../src/messages/messages.ts'
import { accountQuery } from '../account/queries.ts'
import { dismissUpload, isOpen, onUploaded, useUploads } from '../documents/uploads.ts'
import { language } from '../language/locale.ts'
import { plural, t } from '../language/text.tsx'
import { Button, IconButton } from '../parts/button.tsx'
import { formatCount } from '../parts/format.ts'
import { Logo } from '../parts/logo.tsx'
import { loadPatiently, loadWithRetries } from '../parts/patiently.ts'
import { Toasts } from '../parts/toast.tsx'
import { meQuery, workspacesQuery } from '../queries.ts'
import { useAllowed, useMaySeeUsage } from './allowed.ts'
import { NewWorkspace } from './new-workspace.tsx'
import { isPaletteOpen, Palette, preloadPalette } from './palette.tsx'
import { rememberVisit } from './recent.ts'
import { keyLabel, listen, THREADS_TOGGLE } from './shortcuts.ts'
import { kbdClass, ShortcutsDialog } from './shortcuts-dialog.tsx'
import { switchTheme } from './theme.ts'

// What the first page does not need is loaded this long after it.
const PRELOAD_DELAY_MS = 4000

let loadedUploadBar: (() => ReactNode) | undefined

async function loadUploadBar(): Promise<() => ReactNode> {
  loadedUploadBar = (await import('../documents/upload-bar.tsx')).UploadBar
  return loadedUploadBar
}

type DialogName = 'palette' | 'shortcuts' | 'new workspace' | undefined

export function Shell() {
  const [isSidebarOpen, setIsSidebarOpen] = useState(false)
  const [dialog, setDialog] = useState<DialogName>()
  // A number for each opening of the palette. The browser reports that a dialog closed later than it closes it: Ctrl+K pressed
  // between the two opens a new palette, which the late report must not close.
  const [opening, setOpening] = useState(0)
  const navigate = useNavigate()
  const router = useRouter()
  const { workspace } = useParams({ strict: false })
  const { places, isViewer } = useAllowed(workspace)
  useEffect(
    () =>
      listen((command) => {
        if (command.do === 'palette' || (command.do === 'search' && !focusSearch())) {
          setDialog('palette')
          if (!isPaletteOpen()) setOpening((number) => number + 1)
        }
        if (command.do === 'help') setDialog('shortcuts')
        if (command.do === 'conversations')
          for (const toggle of document.querySelectorAll<HTMLElement>(THREADS_TOGGLE))
            if (toggle.checkVisibility()) return toggle.click()
        if (command.do === 'go' && workspace && places.some(({ to }) => to === command.to))
          void navigate({ to: command.to, params: { workspace }, search: {} })
      }),
    [navigate, workspace, places],
  )
  useEffect(
    () =>
      router.subscribe('onResolved', ({ toLocation }) =>
        rememberVisit(toLocation.pathname, toLocation.search),
      ),
    [router],
  )
  useEffect(() => {
    const timer = setTimeout(() => {
      preloadPalette()
      void loadWithRetries(loadUploadBar).catch(() => undefined)
    }, PRELOAD_DELAY_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div className="flex h-full flex-col md:flex-row">
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50 focus:rounded focus:bg-raised focus:p-2"
      >
        {t('Skip to the content')}
      </a>
      <div className="fixed top-2 left-2 z-20 md:hidden">
        <IconButton label={t('Open the list of workspaces')} onClick={() => setIsSidebarOpen(true)}>
          <Menu size={18} />
        </IconButton>
      </div>
      {isSidebarOpen && (
        <button
          type="button"
          aria-label={t('Close the list')}
          className="fixed inset-0 z-20 bg-black/40 md:hidden"
          onClick={() => setIsSidebarOpen(false)}
        />
      )}
      <aside
        aria-label={t('Workspaces and account')}
        className={`${isSidebarOpen ? 'enter-left fixed inset-y-0 left-0 z-30 flex' : 'hidden'} w-60 shrink-0 flex-col border-r border-line bg-back md:static md:flex`}
      >
        <Sidebar close={() => setIsSidebarOpen(false)} show={setDialog} />
      </aside>
      <div className="flex min-h-0 min-w-0 flex-1 flex-col">
        <main id="content" className="flex min-h-0 min-w-0 flex-1 flex-col overflow-hidden bg-paper">
          <Outlet />
        </main>
        <Uploads />
      </div>
      {dialog === 'palette' && (
        // If the palette opens another dialog, closing the palette does not close that dialog.
        <Palette
          key={opening}
          close={() => setDialog((current) => (current === 'palette' ? undefined : current))}
          show={setDialog}
        />
      )}
      <ShortcutsDialog
        isViewer={isViewer}
        places={places}
        open={dialog === 'shortcuts'}
        onOpenChange={(isOpen) =>
          !isOpen && setDialog((current) => (current === 'shortcuts' ? undefined : current))
        }
      />
      <NewWorkspace
        open={dialog === 'new workspace'}
        onOpenChange={(isOpen) =>
          !isOpen && setDialog((current) => (current === 'new workspace' ? undefined : current))
        }
      />
      <Toasts />
    </div>
  )
}

function Uploads() {
  const queries = useQueryClient()
  useEffect(
    () =>
      onUploaded((workspace) => {
        void queries.invalidateQueries({ queryKey: ['workspace', workspace] })
      }),
    [queries],
  )
  return useUploads().length > 0 ? <UploadBarOrWords /> : null
}

/** `lazy` would keep the first error, and put an error page in place of this page, with everything that was typed in it. */
function UploadBarOrWords() {
  const [UploadBar, setUploadBar] = useState(() => loadedUploadBar)
  useEffect(() => {
    const waiting = new AbortController()
    void loadPatiently(loadUploadBar, waiting.signal).then(
      (bar) => bar && !waiting.signal.aborted && setUploadBar(() => bar),
    )
    return () => waiting.abort()
  }, [])
  return UploadBar ? <UploadBar /> : <UploadsInWords />
}

/** The uploads in one line: while the bar is being loaded, which without a connection may take long, and if it cannot be loaded. */
function UploadsInWords() {
  const uploads = useUploads()
  const files = uploads.flatMap((upload) => upload.files)
  const hasOpenFiles = files.some(isOpen)
  const doneCount = files.filter(({ state }) => state === 'searchable' || state === 'complete').length
  const failedCount = files.filter(({ state }) => state === 'failed').length
  return (
    <div className="flex items-center justify-between border-t border-line bg-back px-4 text-xs md:px-6">
      <p role="status" className="py-2.5">
        {files.some((file) => isOpen(file) && file.offline)
          ? t('The connection is lost. Uploading continues when it is back.')
          : !hasOpenFiles && failedCount > 0
            ? plural(failedCount, '{count} file could not be read', '{count} files could not be read')
            : t('{done} of {files} searchable', {
                done: formatCount(doneCount),
                files: plural(files.length, 'file'),
              })}
      </p>
      {!hasOpenFiles && (
        <Button kind="quiet" onClick={() => uploads.forEach(({ id }) => void dismissUpload(id))}>
          {t('Dismiss')}
        </Button>
      )}
    </div>
  )
}

/** Focuses the search field of the page. Returns false if the page has none. */
function focusSearch(): boolean {
  const searchField =
    document.querySelector<HTMLInputElement>('#content input[type="search"]') ??
    document.querySelector<HTMLInputElement>('#content search input')
  searchField?.focus()
  searchField?.select()
  return searchField !== null
}

interface SidebarProps {
  close: () => void
  show: (dialog: DialogName) => void
}

function Sidebar({ close, show }: SidebarProps) {
  const { data: me } = useQuery(meQuery)
  const { data: workspaces } = useQuery(workspacesQuery)
  const { workspace: current } = useParams({ strict: false })
  const itemClass = 'flex min-h-8 items-center gap-2 rounded-md px-2 py-1 text-sm hover:bg-line/60'
  return (
    <>
      <div className="flex h-12 items-center justify-between px-4">
        <Link to="/" className="flex items-center gap-2 font-semibold tracking-tight" onClick={close}>
          <Logo /> Kenning
        </Link>
        <IconButton label={t('Close the list')} className="md:hidden" onClick={close}>
          <PanelLeftClose size={16} />
        </IconButton>
      </div>
      <div className="px-2 pb-1">
        <button
          type="button"
          aria-haspopup="dialog"
          onClick={() => {
            close()
            show('palette')
          }}
          className="flex h-8 w-full items-center gap-2 rounded-md border border-line bg-paper px-2 text-sm text-soft hover:border-edge"
        >
          <Search size={14} aria-hidden /> {t('Find anything')}
          <kbd aria-hidden className={`ml-auto max-md:hidden ${kbdClass}`}>
            {keyLabel('mod+k')}
          </kbd>
        </button>
      </div>
      <nav aria-label={t('Workspaces and access')} className="min-h-24 flex-1 overflow-y-auto px-2">
        <h2 className="px-2 pt-2 pb-1 text-xs font-medium text-soft">{t('Workspaces')}</h2>
        <ul>
          {workspaces?.map(({ id, name }) => (
            <li key={id}>
              <Link
                to="/w/$workspace"
                params={{ workspace: id }}
                onClick={close}
                aria-current={id === current ? 'true' : undefined}
                className={`${itemClass} ${id === current ? 'bg-line/70 font-medium' : ''}`}
              >
                <span className="truncate">{name}</span>
              </Link>
            </li>
          ))}
        </ul>
        <button
          type="button"
          className={`${itemClass} w-full text-soft hover:text-ink`}
          onClick={() => show('new workspace')}
        >
          <Plus size={14} /> {t('New workspace')}
        </button>
        <Link
          to="/trash"
          className={`${itemClass} text-soft hover:text-ink`}
          activeProps={CURRENT}
          onClick={close}
        >
          <Trash2 size={14} /> {t('Trash')}
        </Link>
        <AccountPlaces itemClass={itemClass} close={close} />
      </nav>
      <div className="border-t border-line p-2">
        {me?.email && <div className="truncate px-2 pb-1 text-xs text-soft">{me.email}</div>}
        <Link to="/settings" className={itemClass} activeProps={CURRENT} onClick={close}>
          <Settings size={14} /> {t('Account')}
        </Link>
        <Link
          to="/settings"
          hash="language"
          aria-label={t('Language: {name}', { name: LANGUAGE_NAMES[language] })}
          className={itemClass}
          activeProps={{}}
          onClick={close}
        >
          <Languages size={14} /> {LANGUAGE_NAMES[language]}
        </Link>
        <button type="button" className={`${itemClass} w-full`} onClick={switchTheme}>
          <SunMoon size={14} /> {t('Switch theme')}
        </button>
        <button
          type="button"
          aria-haspopup="dialog"
          className={`${itemClass} hidden w-full md:flex`}
          onClick={() => show('shortcuts')}
        >
          <Keyboard size={14} /> {t('Shortcuts')}
          <kbd aria-hidden className={`ml-auto ${kbdClass}`}>
            ?
          </kbd>
        </button>
      </div>
    </>
  )
}

const CURRENT = { className: 'bg-line/70 font-medium', 'aria-current': 'page' } as const

/** Links to the pages of the account. */
function AccountPlaces({ itemClass, close }: { itemClass: string; close: () => void }) {
  const { data: me } = useQuery(accountQuery)
  const maySeeUsage = useMaySeeUsage()
  return (
    <>
      <h2 className="px-2 pt-5 pb-1 text-xs font-medium text-soft">{t('Access')}</h2>
      <ul>
        <li>
          <Link to="/keys" className={itemClass} activeProps={CURRENT} onClick={close}>
            <KeyRound size={14} /> {t('Keys')}
          </Link>
        </li>
        <li>
          <Link to="/connections" className={itemClass} activeProps={CURRENT} onClick={close}>
            <Plug size={14} /> {t('Connections')}
          </Link>
        </li>
        {maySeeUsage && (
          <li>
            <Link to="/usage" className={itemClass} activeProps={CURRENT} onClick={close}>
              <ChartColumn size={14} /> {t('Usage')}
            </Link>
          </li>
        )}
        {me?.admin && (
          <>
            <li>
              <Link to="/people" className={itemClass} activeProps={CURRENT} onClick={close}>
                <Users size={14} /> {t('People')}
              </Link>
            </li>
            <li>
              <Link to="/models" className={itemClass} activeProps={CURRENT} onClick={close}>
                <Cpu size={14} /> {t('Models')}
              </Link>
            </li>
            <li>
              <Link to="/spending" className={itemClass} activeProps={CURRENT} onClick={close}>
                <Coins size={14} /> {t('Spending')}
              </Link>
            </li>
            <li>
              <Link to="/health" className={itemClass} activeProps={CURRENT} onClick={close}>
                <HeartPulse size={14} /> {t('Health')}
              </Link>
            </li>
          </>
        )}
      </ul>
    </>
  )
}
