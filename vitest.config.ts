// Three projects: unit (beside the sources), api (the real app on a real database), e2e (the built process over TCP).

import { defineConfig } from 'vitest/config'
import { childrenFromBuild } from './test/support/built.ts'
import { closingLine } from './test/support/closing-line.ts'

const children = childrenFromBuild()

// It replaces a module of the app, which would stay replaced for the files after it.
const REPLACES_MODULES = 'test/api/isolation.test.ts'

// What they are about is files, words and HTTP, not statements, and the statements they cause are others' subject. The gate
// runs them on the embedded engine only (an `--exclude` of the command line does not reach projects).
const ON_SERVER_IN_FULL_ONLY = [
  'ask-examples-kinds',
  'ask-examples',
  'ask-model-injection',
  'bad-files',
  'bounds',
  'kinds',
  'parsed',
  'slow-bodies',
  'wire',
].map((name) => `test/api/${name}.test.ts`)
const leftOut = process.env.DATABASE_URL && process.env.KENNING_TESTS !== 'full' ? ON_SERVER_IN_FULL_ONLY : []

/** The files of a project follow each other in one process: loading the app anew took half of what the tests take. */
const project = (
  name: string,
  include: string[],
  timeout: number,
  exclude: string[] = [],
  globalSetup: string[] = [],
) => ({
  plugins: [children],
  test: {
    name,
    include,
    exclude,
    testTimeout: timeout,
    hookTimeout: timeout,
    pool: 'forks' as const,
    isolate: include.includes(REPLACES_MODULES),
    globalSetup,
    setupFiles: ['test/support/at-end.ts', 'test/support/seed.ts', 'test/support/cost.ts'],
  },
})

export default defineConfig({
  test: {
    // Tests wait for processes, deadlines and disks for a third of their time: with two, two cores were busy to 62 %.
    maxWorkers: 3,
    reporters: ['default', closingLine],
    // Timeouts end what hangs and judge no speed: a scan read four times takes 36 s on a quiet machine, at a load of 9 a minute.
    projects: [
      project(
        'unit',
        [
          'src/**/*.test.ts',
          'web/src/**/*.test.ts',
          'test/*.test.ts',
          'scripts/**/*.test.ts',
          'bench/**/*.test.ts',
        ],
        180_000,
      ),
      project('api', ['test/api/**/*.test.ts'], 180_000, [REPLACES_MODULES, ...leftOut]),
      project('api-isolated', [REPLACES_MODULES], 180_000),
      project('e2e', ['test/e2e/**/*.test.ts'], 240_000, [], ['test/support/install-package.ts']),
      // By `npm run test:remotes`, which sees to an rclone.
      ...(process.env.KENNING_RCLONE ? [project('remotes', ['test/remotes/**/*.test.ts'], 180_000)] : []),
      // By `npm run test:browser`, which sees to a Chromium.
      ...(process.env.KENNING_CHROMIUM ? [project('browser', ['test/browser/**/*.test.ts'], 240_000)] : []),
    ],
  },
})
