// The frame of every page: workspaces at the left, the page at the right; on narrow windows the left side opens over it.

import { useQuery } from '@tanstack/react-query'
import { Link, Outlet, useParams } from '@tanstack/react-router'
import { Menu, PanelLeftClose, Plus, Settings, SunMoon } from 'lucide-react'
import { useState } from 'react'
import { UploadDock } from '../documents/upload-dock.tsx'
import { IconButton } from '../parts/button.tsx'
import { Toasts } from '../parts/toast.tsx'
import { meQuery, workspacesQuery } from '../queries.ts'
import { NewWorkspace } from './new-workspace.tsx'
import { switchTheme } from './theme.ts'

export function Shell() {
  const [open, setOpen] = useState(false)
  return (
    <div className="flex h-full">
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50 focus:rounded focus:bg-raised focus:p-2"
      >
        Skip to the content
      </a>
      <div className="fixed top-2 left-2 z-20 md:hidden">
        <IconButton label="Open the list of workspaces" onClick={() => setOpen(true)}>
          <Menu size={18} />
        </IconButton>
      </div>
      {open && (
        <button
          type="button"
          aria-label="Close the list"
          className="fixed inset-0 z-20 bg-black/40 md:hidden"
          onClick={() => setOpen(false)}
        />
      )}
      <aside
        className={`${open ? 'fixed inset-y-0 left-0 z-30 flex' : 'hidden'} w-60 shrink-0 flex-col border-r border-line bg-back md:static md:flex`}
      >
        <Sidebar close={() => setOpen(false)} />
      </aside>
      <main id="content" className="flex min-w-0 flex-1 flex-col overflow-hidden bg-paper">
        <Outlet />
      </main>
      <UploadDock />
      <Toasts />
    </div>
  )
}

function Sidebar({ close }: { close: () => void }) {
  const { data: me } = useQuery(meQuery)
  const { data: workspaces } = useQuery(workspacesQuery)
  const [adding, setAdding] = useState(false)
  const { workspace: current } = useParams({ strict: false })
  const item = 'flex min-h-8 items-center gap-2 rounded-md px-2 py-1 text-sm hover:bg-line/60'
  return (
    <>
      <div className="flex h-12 items-center justify-between px-4">
        <Link to="/" className="font-semibold tracking-tight" onClick={close}>
          Kenning
        </Link>
        <IconButton label="Close the list" className="md:hidden" onClick={close}>
          <PanelLeftClose size={16} />
        </IconButton>
      </div>
      <nav aria-label="Workspaces" className="min-h-0 flex-1 overflow-y-auto px-2">
        <h2 className="px-2 pt-2 pb-1 text-xs font-medium text-soft">Workspaces</h2>
        <ul>
          {workspaces?.map(({ id, name }) => (
            <li key={id}>
              <Link
                to="/w/$workspace"
                params={{ workspace: id }}
                onClick={close}
                aria-current={id === current ? 'true' : undefined}
                className={`${item} ${id === current ? 'bg-line/70 font-medium' : ''}`}
              >
                <span className="truncate">{name}</span>
              </Link>
            </li>
          ))}
        </ul>
        <button
          type="button"
          className={`${item} w-full text-soft hover:text-ink`}
          onClick={() => setAdding(true)}
        >
          <Plus size={14} /> New workspace
        </button>
      </nav>
      <div className="border-t border-line p-2">
        {me?.email && <div className="truncate px-2 pb-1 text-xs text-soft">{me.email}</div>}
        <a href="/settings" className={item}>
          <Settings size={14} /> Account, keys, connections
        </a>
        <button type="button" className={`${item} w-full`} onClick={switchTheme}>
          <SunMoon size={14} /> Light or dark
        </button>
      </div>
      <NewWorkspace open={adding} onOpenChange={setAdding} />
    </>
  )
}
