// Every address of the console. What a person would send to a colleague stands in the address: query, filters, page, passage.

import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { AskPage } from './ask/ask-page.tsx'
import { SORTS, VIEWS } from './graph/address.ts'
import { patiently } from './parts/patiently.ts'
import { Loading, NotFound, PageProblem } from './parts/states.tsx'
import { Shell } from './shell/shell.tsx'
import { Welcome } from './shell/welcome.tsx'
import { WorkspaceLayout } from './shell/workspace-layout.tsx'

const PENDING_AFTER_MS = 500

const rootRoute = createRootRoute({
  component: Shell,
  notFoundComponent: NotFound,
  errorComponent: PageProblem,
})

/** A page whose script is loaded when somebody goes there. */
const lazyPage = <Module extends Record<string, unknown>, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
) => lazyRouteComponent(() => patiently(load), name)

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : undefined
const count = (value: unknown): number | undefined => {
  const number = Number(value)
  return Number.isSafeInteger(number) && number > 0 ? number : undefined
}
const oneOf = <T extends string>(these: readonly T[], value: unknown): T | undefined =>
  these.find((one) => one === value)
/** Without what is not set, so that addresses stay short. */
const set = <T extends object>(values: T): { [Key in keyof T]?: Exclude<T[Key], undefined> } =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never

const index = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  component: Welcome,
})

const workspace = createRoute({
  getParentRoute: () => rootRoute,
  path: '/w/$workspace',
  component: WorkspaceLayout,
  errorComponent: PageProblem,
})

const ask = createRoute({
  getParentRoute: () => workspace,
  path: '/',
  component: AskPage,
  validateSearch: (given: Record<string, unknown>) => set({ thread: text(given.thread), q: text(given.q) }),
})

const search = createRoute({
  getParentRoute: () => workspace,
  path: '/search',
  component: lazyPage(() => import('./search/search-page.tsx'), 'SearchPage'),
  validateSearch: (given: Record<string, unknown>) =>
    set({ q: text(given.q), scope: text(given.scope), entity: text(given.entity), why: text(given.why) }),
})

const inspect = createRoute({
  getParentRoute: () => workspace,
  path: '/inspect',
  component: lazyPage(() => import('./inspect/inspect-page.tsx'), 'InspectPage'),
  validateSearch: (given: Record<string, unknown>) =>
    set({ q: text(given.q), scope: text(given.scope), entity: text(given.entity), why: text(given.why) }),
})

const documents = createRoute({
  getParentRoute: () => workspace,
  path: '/documents',
  component: lazyPage(() => import('./documents/documents-page.tsx'), 'DocumentsPage'),
  validateSearch: (given: Record<string, unknown>) =>
    set({
      q: text(given.q),
      scope: text(given.scope),
      by: oneOf(['title', 'kind', 'pages', 'chunk_count', 'uploaded_at'] as const, given.by),
      order: oneOf(['asc', 'desc'] as const, given.order),
    }),
})

const document = createRoute({
  getParentRoute: () => workspace,
  path: '/d/$document',
  component: lazyPage(() => import('./document/document-page.tsx'), 'DocumentPage'),
  validateSearch: (given: Record<string, unknown>) =>
    set({
      page: count(given.page),
      chunk: text(given.chunk),
      span: text(given.span),
      find: text(given.find),
      panel: text(given.panel),
    }),
})

const graph = createRoute({
  getParentRoute: () => workspace,
  path: '/graph',
  component: lazyPage(() => import('./graph/graph-page.tsx'), 'GraphPage'),
  validateSearch: (given: Record<string, unknown>) =>
    set({
      view: oneOf(VIEWS, given.view),
      q: text(given.q),
      type: text(given.type),
      entity: text(given.entity),
      sort: oneOf(SORTS, given.sort),
      size: count(given.size),
    }),
})

const entity = createRoute({
  getParentRoute: () => workspace,
  path: '/graph/$entity',
  component: lazyPage(() => import('./graph/entity-page.tsx'), 'EntityPage'),
})

const activity = createRoute({
  getParentRoute: () => workspace,
  path: '/activity',
  component: lazyPage(() => import('./settings/activity-page.tsx'), 'ActivityPage'),
})

const settings = createRoute({
  getParentRoute: () => workspace,
  path: '/settings',
  component: lazyPage(() => import('./settings/settings-page.tsx'), 'SettingsPage'),
})

const keys = createRoute({
  getParentRoute: () => rootRoute,
  path: '/keys',
  component: lazyPage(() => import('./account/keys-page.tsx'), 'KeysPage'),
})

const connections = createRoute({
  getParentRoute: () => rootRoute,
  path: '/connections',
  component: lazyPage(() => import('./account/connections-page.tsx'), 'ConnectionsPage'),
})

const people = createRoute({
  getParentRoute: () => rootRoute,
  path: '/people',
  component: lazyPage(() => import('./account/people-page.tsx'), 'PeoplePage'),
  validateSearch: (given: Record<string, unknown>) => set({ into: text(given.into) }),
})

const usage = createRoute({
  getParentRoute: () => rootRoute,
  path: '/usage',
  component: lazyPage(() => import('./account/usage-page.tsx'), 'UsagePage'),
  validateSearch: (given: Record<string, unknown>) => set({ of: text(given.of) }),
})

const ownAccount = createRoute({
  getParentRoute: () => rootRoute,
  path: '/settings',
  component: lazyPage(() => import('./account/account-page.tsx'), 'OwnAccountPage'),
})

const tree = rootRoute.addChildren([
  index,
  keys,
  connections,
  people,
  usage,
  ownAccount,
  workspace.addChildren([ask, search, inspect, documents, document, graph, entity, activity, settings]),
])

export const router = createRouter({
  routeTree: tree,
  defaultPreload: 'intent',
  // On a slow network the page that was left would stand there as if nothing had been asked for.
  defaultPendingComponent: Loading,
  defaultPendingMs: PENDING_AFTER_MS,
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
