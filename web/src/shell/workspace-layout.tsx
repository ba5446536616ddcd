// The name and the places of a workspace above its pages. Files that are dropped on a page are uploaded.

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, Outlet, useParams, useRouterState } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { DropZone } from '../documents/drop-zone.tsx'
import { t } from '../language/text.tsx'
import { isGone, Problem } from '../parts/states.tsx'
import { workspaceQuery, workspacesQuery } from '../queries.ts'
import { useAllowed } from './allowed.ts'
import { PLACES } from './places.ts'

export function WorkspaceLayout() {
  const { workspace } = useParams({ from: '/w/$workspace' })
  const { data, error, refetch } = useQuery(workspaceQuery(workspace))
  const routeId = useRouterState({ select: ({ matches }) => matches.at(-1)?.routeId })
  const { places, isViewer } = useAllowed(workspace)
  const navRef = useRef<HTMLElement>(null)
  // On a narrow window the current place may be outside the view.
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever another page is shown, and when its places are known
  useEffect(() => {
    const current = navRef.current?.querySelector<HTMLElement>('[aria-current]')
    if (navRef.current && current)
      navRef.current.scrollLeft = current.offsetLeft - navRef.current.offsetLeft - 16
  }, [routeId, places])
  // The workspace was deleted, or the viewer may not see it any more. The list of workspaces is then outdated, too.
  const isMissing = isGone(error)
  const queries = useQueryClient()
  useEffect(() => {
    if (isMissing) void queries.invalidateQueries({ queryKey: workspacesQuery.queryKey })
  }, [isMissing, queries])
  if (error && (isMissing || !data)) return <Problem page error={error} retry={() => void refetch()} />
  const currentPlace = PLACES.find(
    ({ to, pages }) => to === routeId || pages.some((page) => page === routeId),
  )
  return (
    <DropZone workspace={workspace} mayUpload={!isViewer}>
      {data && !OWN_TITLE.has(routeId ?? '') && (
        <title>{`${currentPlace ? t(currentPlace.label) : t('Ask')} · ${data.name} · Kenning`}</title>
      )}
      <header className="shrink-0 border-b border-line px-4 md:px-6">
        <div className="flex h-12 items-center gap-4 pl-8 md:pl-0">
          <h1 className="min-w-0 truncate font-semibold">
            {data?.name ?? <span className="sr-only">{t('Workspace')}</span>}
          </h1>
          {data?.ready === false && (
            <span
              role="status"
              className="hidden shrink-0 text-xs text-soft sm:inline"
              title={t('Search works; the graph and the search by meaning still take in the newest files.')}
            >
              {t('Reading new files …')}
            </span>
          )}
        </div>
        <nav
          ref={navRef}
          aria-label={t('Places of the workspace')}
          className="-mb-px flex gap-3 overflow-x-auto text-sm sm:gap-5"
        >
          {places.map(({ to, label, exact, pages }) => (
            <Link
              key={to}
              to={to}
              params={{ workspace }}
              search={{}}
              activeOptions={{ exact, includeSearch: false }}
              className="border-b-2 border-transparent pb-2 text-soft hover:text-ink"
              activeProps={CURRENT}
              {...(pages.some((page) => page === routeId) && {
                className: `border-b-2 pb-2 ${CURRENT.className}`,
                'aria-current': 'true',
              })}
            >
              {t(label)}
            </Link>
          ))}
        </nav>
      </header>
      <div className="min-h-0 flex-1 overflow-hidden">
        <Outlet />
      </div>
    </DropZone>
  )
}

/** Pages that set their title themselves. */
const OWN_TITLE = new Set(['/w/$workspace/d/$document', '/w/$workspace/graph/$entity'])

const CURRENT = { className: 'border-accent! text-ink! font-medium', 'aria-current': 'page' } as const
