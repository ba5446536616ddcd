// The projects: unit (beside the sources), api (the real app on a real database, and remotes through a real rclone), e2e (the
// built process over TCP, and a Chromium on it), and postgres: what of api and unit is about the database, on a server too.
// A worker that changes to another project is started anew, with the app, an engine or a service: so there are few of them.

import { defineConfig } from 'vitest/config'
import { childrenFromBuild } from './test/support/built.ts'
import { closingLine } from './test/support/closing-line.ts'
import { LongestFirst } from './test/support/order.ts'

const children = childrenFromBuild()

function tests(names: string[]): string[] {
  return names.map((name) => `test/api/${name}.test.ts`)
}

// It replaces a module of the app, which would stay replaced for the files after it. It is about the server only.
const REPLACES_MODULES = 'test/api/isolation.test.ts'
// It kills nodes that other tests would use.
const KILLS_NODES = 'test/api/citus-faults.test.ts'

// The embedded engine is PostgreSQL too. A server differs in its many sessions, the role of requests with row-level security,
// and its extensions. Where there are both, the gate runs on both: the matrix, which calls every endpoint as every kind of
// caller, search and its plans, the queue, stopped workers, backups, migrations. Every other file of API tests runs on one of
// them, and on both in the full suite.

// Long ones, most of them about what several do at once or about the moments at which a worker dies. The same takes half the
// processor time on a server that it takes on the engine, which is compiled to WebAssembly.
const ON_SERVER = tests([
  'accounts',
  'archive',
  'ask-examples',
  'bad-files',
  'bounds',
  'cancel',
  'embed',
  'faults',
  'fuzz',
  'jobs',
  'limit',
  'lock-out',
  'mcp',
  'name-conflicts',
  'oauth-races',
  'pictures',
  'ready',
  'source-process',
  'sources',
  'turns',
  'upload-faults',
  'versions',
])
// Short ones. On the engine every statement is held against the rules of statement-rules.ts too.
const ON_ENGINE = tests([
  'ask-examples-kinds',
  'ask-tables',
  'ask-headings',
  'ask-nearest',
  'ask-model',
  'ask-model-contexts',
  'ask-conversations',
  'ask-model-injection',
  'ask-stream',
  'blobs-on-s3',
  'canary',
  'company',
  'cors',
  'credentials',
  'document-details',
  'document-use',
  'evaluation',
  'find-documents',
  'first-run',
  'graph',
  'hidden-text',
  'imports',
  'inspect',
  'keys',
  'kinds',
  'leases',
  'long-requests',
  'many-processes',
  'mcp-rules',
  'members',
  'metrics',
  'oauth',
  'oauth-documents',
  'openapi',
  'oracle',
  'originals',
  'overload',
  'pages',
  'parsed',
  'passage-links',
  'purge',
  'query-once',
  'redirects',
  'rerank',
  'search-forms',
  'search-languages',
  'search-spelling',
  'sessions',
  'slow-bodies',
  'threads',
  'titles',
  'traces',
  'usage',
  'webhooks',
  'wire',
  'workspaces',
])
const API = 'test/api/**/*.test.ts'
const REMOTES = 'test/remotes/**/*.test.ts'
const E2E = 'test/e2e/**/*.test.ts'
const BROWSER = 'test/browser/**/*.test.ts'
const PROXIES = 'test/proxies/**/*.test.ts'
const LLAMA = 'test/llama/**/*.test.ts'
/** Where there are both, on the server only, as those of the API's tests that are long. */
const ABOUT_TABLES = [
  'src/ask/ask.test.ts',
  'src/graph/index-graph.test.ts',
  'src/graph/entities.test.ts',
  'src/graph/mentioned-with.test.ts',
]
const ON_SERVER_TOO = [
  ...ABOUT_TABLES,
  'src/ports/db/postgres.test.ts',
  'src/ports/db/migrate.test.ts',
  'src/ports/db/replica.test.ts',
]

const isFull = process.env.KENNING_TESTS === 'full'
// Timeouts end what hangs and judge no speed: three starts of a service take 15 s, at a load of 45 more than four minutes; the
// longest test of the full suite on a parser, which reads scans again and again, more than three minutes at a load of 14.
const TIMEOUT = isFull ? 1_800_000 : 300_000
const E2E_TIMEOUT = isFull ? 3_600_000 : 600_000
/** `scripts/test-all` has it; where only one of the two is at hand, everything runs there. */
const isBoth = process.env.KENNING_TEST_SERVER !== undefined && !isFull

/** The files of a project follow each other in one process: loading the app anew took half of what the tests take. */
const project = (
  name: string,
  include: string[],
  timeout: number,
  {
    exclude = [],
    env = {},
    globalSetup = [],
  }: { exclude?: string[]; env?: Record<string, string>; globalSetup?: string[] } = {},
) => ({
  plugins: [children],
  test: {
    name,
    include,
    exclude,
    env,
    testTimeout: timeout,
    hookTimeout: timeout,
    expect: { poll: { timeout: timeout / 3 } },
    pool: 'forks' as const,
    isolate: include.includes(REPLACES_MODULES),
    globalSetup,
    setupFiles: [
      'test/support/at-end.ts',
      'test/support/seed.ts',
      'test/support/cost.ts',
      'test/support/rounds.ts',
      'test/support/statements.ts',
    ],
  },
})

/** By `npm run test:postgres`, which sees to a server; in `scripts/test-all` beside the same on the embedded engine. */
const onServer = (url: string | undefined, added: string[]) =>
  url === undefined
    ? []
    : [
        project('postgres', [API, ...ON_SERVER_TOO, ...added], TIMEOUT, {
          exclude: [REPLACES_MODULES, KILLS_NODES, ...(isBoth ? ON_ENGINE : [])],
          env: { DATABASE_URL: url },
        }),
        project('postgres-isolated', [REPLACES_MODULES], TIMEOUT, { env: { DATABASE_URL: url } }),
        ...(process.env.KENNING_CITUS_PORTS
          ? [project('citus', [KILLS_NODES], 1_800_000, { env: { DATABASE_URL: url } })]
          : []),
      ]

/** Test files that another package of the repository adds to the suite. */
export interface AddedTests {
  unit: string[]
  /** They need a database: the server where there are both. */
  database: string[]
}

export const suite = (added: AddedTests = { unit: [], database: [] }) => ({
  // Tests wait for processes, deadlines and disks for a third of their time: with two, two cores were busy to 62 %.
  maxWorkers: 3,
  sequence: { sequencer: LongestFirst },
  reporters: ['default', closingLine],
  // What one project has transformed, another one need not (`children` says what else its output depends on).
  experimental: { fsModuleCache: true },
  projects: [
    project(
      'unit',
      // By `npm run test:helm`, which sees to a Helm, with the tests of the chart.
      [
        'src/**/*.test.ts',
        'web/src/**/*.test.ts',
        'test/*.test.ts',
        'scripts/**/*.test.ts',
        ...(process.env.KENNING_HELM ? ['test/helm/*.test.ts'] : []),
        ...added.unit,
      ],
      TIMEOUT,
      { exclude: [...(isBoth ? ABOUT_TABLES : []), ...added.database] },
    ),
    // By `npm run test:remotes`, which sees to an rclone, with its tests, by `npm run test:browser`, which sees to a Chromium,
    // and by `npm run test:proxies`, which sees to nginx, Caddy and tinyproxy.
    project(
      'api',
      [
        API,
        ...(process.env.KENNING_RCLONE ? [REMOTES] : []),
        ...(process.env.KENNING_LLAMA_SERVER ? [LLAMA] : []),
        ...added.database,
      ],
      TIMEOUT,
      {
        exclude: [REPLACES_MODULES, KILLS_NODES, ...(isBoth ? [...ON_SERVER, ...added.database] : [])],
      },
    ),
    project(
      'e2e',
      [
        E2E,
        ...(process.env.KENNING_CHROMIUM ? [BROWSER] : []),
        ...(process.env.KENNING_PROXIES ? [PROXIES] : []),
      ],
      E2E_TIMEOUT,
      {
        globalSetup: ['test/support/install-package.ts', 'test/support/one-service.ts'],
      },
    ),
    ...onServer(process.env.KENNING_TEST_SERVER ?? process.env.DATABASE_URL, added.database),
  ],
})

export default defineConfig({ test: suite() })
