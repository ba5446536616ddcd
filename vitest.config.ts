// Three projects: unit (beside the sources), api (the real app on a real database), e2e (the built process over TCP).

import { defineConfig } from 'vitest/config'
import { childrenFromBuild } from './test/support/built.ts'
import { closingLine } from './test/support/closing-line.ts'

const children = childrenFromBuild()

const project = (name: string, include: string[], timeout: number) => ({
  plugins: [children],
  test: {
    name,
    include,
    testTimeout: timeout,
    hookTimeout: timeout,
    pool: 'forks' as const,
    setupFiles: ['test/support/seed.ts'],
  },
})

export default defineConfig({
  test: {
    maxWorkers: 2,
    reporters: ['default', closingLine],
    projects: [
      project(
        'unit',
        ['src/**/*.test.ts', 'test/*.test.ts', 'scripts/**/*.test.ts', 'bench/**/*.test.ts'],
        60_000,
      ),
      project('api', ['test/api/**/*.test.ts'], 120_000),
      project('e2e', ['test/e2e/**/*.test.ts'], 240_000),
    ],
  },
})
