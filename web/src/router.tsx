// Every address of the console. An address contains query, filters, page and passage, so that a colleague to whom it is sent
// sees the same.

import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { AskPage } from './ask/ask-page.tsx'
import { SORTS, VIEWS } from './graph/address.ts'
import { loadSeldomTexts } from './language/text.tsx'
import { loadWithRetries } from './parts/patiently.ts'
import { NotFound, PageProblem, PageSkeleton } from './parts/states.tsx'
import { Shell } from './shell/shell.tsx'
import { Welcome } from './shell/welcome.tsx'
import { WorkspaceLayout } from './shell/workspace-layout.tsx'
import { SITE } from './site.ts'

const PENDING_AFTER_MS = 500

const rootRoute = createRootRoute({
  component: Shell,
  notFoundComponent: NotFound,
  errorComponent: PageProblem,
})

/** A page whose script is loaded when somebody opens it. */
const lazyPage = <Module extends Record<string, unknown>, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
) => lazyRouteComponent(() => loadWithRetries(load), name)

/** A page that few people open. Its texts are loaded with it; if that fails, they are in English. */
const seldomPage = <Module extends Record<string, unknown>, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
) =>
  lazyPage(async () => {
    const [page] = await Promise.all([load(), loadSeldomTexts().catch(() => undefined)])
    return page
  }, name)

const textParam = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : undefined
const countParam = (value: unknown): number | undefined => {
  const number = Number(value)
  return Number.isSafeInteger(number) && number > 0 ? number : undefined
}
const oneOfParam = <T extends string>(values: readonly T[], value: unknown): T | undefined =>
  values.find((one) => one === value)
/** The object without undefined values, so that addresses stay short. */
const definedOnly = <T extends object>(values: T): { [Key in keyof T]?: Exclude<T[Key], undefined> } =>
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
  validateSearch: (params: Record<string, unknown>) =>
    definedOnly({
      thread: textParam(params.thread),
      q: textParam(params.q),
      source: textParam(params.source),
    }),
})

const check = createRoute({
  getParentRoute: () => workspace,
  path: '/check',
  component: seldomPage(() => import('./ask/check-page.tsx'), 'CheckPage'),
})

const shared = createRoute({
  getParentRoute: () => workspace,
  path: '/shared/$thread',
  component: lazyPage(() => import('./ask/shared-page.tsx'), 'SharedPage'),
})

const search = createRoute({
  getParentRoute: () => workspace,
  path: '/search',
  component: lazyPage(() => import('./search/search-page.tsx'), 'SearchPage'),
  validateSearch: (params: Record<string, unknown>) =>
    definedOnly({
      q: textParam(params.q),
      scope: textParam(params.scope),
      entity: textParam(params.entity),
      why: textParam(params.why),
    }),
})

const inspect = createRoute({
  getParentRoute: () => workspace,
  path: '/inspect',
  component: seldomPage(() => import('./inspect/inspect-page.tsx'), 'InspectPage'),
  validateSearch: (params: Record<string, unknown>) =>
    definedOnly({
      q: textParam(params.q),
      scope: textParam(params.scope),
      entity: textParam(params.entity),
      why: textParam(params.why),
    }),
})

const documents = createRoute({
  getParentRoute: () => workspace,
  path: '/documents',
  component: lazyPage(() => import('./documents/documents-page.tsx'), 'DocumentsPage'),
  validateSearch: (params: Record<string, unknown>) =>
    definedOnly({
      q: textParam(params.q),
      scope: textParam(params.scope),
      folder: textParam(params.folder),
      by: oneOfParam(['title', 'kind', 'bytes', 'uploaded_at', 'opened_on'] as const, params.by),
      order: oneOfParam(['asc', 'desc'] as const, params.order),
    }),
})

const document = createRoute({
  getParentRoute: () => workspace,
  path: '/d/$document',
  component: lazyPage(() => import('./document/document-page.tsx'), 'DocumentPage'),
  validateSearch: (params: Record<string, unknown>) =>
    definedOnly({
      page: countParam(params.page),
      chunk: textParam(params.chunk),
      span: textParam(params.span),
      find: textParam(params.find),
      panel: textParam(params.panel),
    }),
})

const graph = createRoute({
  getParentRoute: () => workspace,
  path: '/graph',
  component: lazyPage(() => import('./graph/graph-page.tsx'), 'GraphPage'),
  validateSearch: (params: Record<string, unknown>) =>
    definedOnly({
      view: oneOfParam(VIEWS, params.view),
      q: textParam(params.q),
      type: textParam(params.type),
      entity: textParam(params.entity),
      sort: oneOfParam(SORTS, params.sort),
      size: countParam(params.size),
    }),
})

const entity = createRoute({
  getParentRoute: () => workspace,
  path: '/graph/$entity',
  component: lazyPage(() => import('./graph/entity-page.tsx'), 'EntityPage'),
  validateSearch: (params: Record<string, unknown>) => definedOnly({ to: textParam(params.to) }),
})

const activity = createRoute({
  getParentRoute: () => workspace,
  path: '/activity',
  component: seldomPage(() => import('./settings/activity-page.tsx'), 'ActivityPage'),
})

const settings = createRoute({
  getParentRoute: () => workspace,
  path: '/settings',
  component: seldomPage(() => import('./settings/settings-page.tsx'), 'SettingsPage'),
})

const trash = createRoute({
  getParentRoute: () => workspace,
  path: '/trash',
  component: seldomPage(() => import('./trash/trash-page.tsx'), 'TrashPage'),
})

const workspacesTrash = createRoute({
  getParentRoute: () => rootRoute,
  path: '/trash',
  component: seldomPage(() => import('./trash/workspaces-trash-page.tsx'), 'WorkspacesTrashPage'),
})

const keys = createRoute({
  getParentRoute: () => rootRoute,
  path: '/keys',
  component: seldomPage(() => import('./account/keys-page.tsx'), 'KeysPage'),
})

const connections = createRoute({
  getParentRoute: () => rootRoute,
  path: '/connections',
  component: seldomPage(() => import('./account/connections-page.tsx'), 'ConnectionsPage'),
})

const people = createRoute({
  getParentRoute: () => rootRoute,
  path: '/people',
  component: seldomPage(() => import('./account/people-page.tsx'), 'PeoplePage'),
  validateSearch: (params: Record<string, unknown>) => definedOnly({ into: textParam(params.into) }),
})

const models = createRoute({
  getParentRoute: () => rootRoute,
  path: '/models',
  component: seldomPage(() => import('./account/models-page.tsx'), 'ModelsPage'),
})

const usage = createRoute({
  getParentRoute: () => rootRoute,
  path: '/usage',
  component: seldomPage(() => import('./account/usage-page.tsx'), 'UsagePage'),
  validateSearch: (params: Record<string, unknown>) => definedOnly({ of: textParam(params.of) }),
})

const health = createRoute({
  getParentRoute: () => rootRoute,
  path: '/health',
  component: seldomPage(() => import('./account/health-page.tsx'), 'HealthPage'),
})

const spending = createRoute({
  getParentRoute: () => rootRoute,
  path: '/spending',
  component: seldomPage(() => import('./account/spending-page.tsx'), 'SpendingPage'),
  validateSearch: (params: Record<string, unknown>) => definedOnly({ month: textParam(params.month) }),
})

const ownAccount = createRoute({
  getParentRoute: () => rootRoute,
  path: '/settings',
  component: seldomPage(() => import('./account/account-page.tsx'), 'OwnAccountPage'),
})

const tree = rootRoute.addChildren([
  index,
  workspacesTrash,
  keys,
  connections,
  people,
  models,
  usage,
  spending,
  health,
  ownAccount,
  workspace.addChildren([
    ask,
    check,
    shared,
    search,
    inspect,
    documents,
    document,
    graph,
    entity,
    activity,
    settings,
    trash,
  ]),
])

export const router = createRouter({
  routeTree: tree,
  basepath: SITE || '/',
  defaultPreload: 'intent',
  // On a slow network the previous page would stay visible, as if the click had done nothing.
  defaultPendingComponent: PageSkeleton,
  defaultPendingMs: PENDING_AFTER_MS,
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
