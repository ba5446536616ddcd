// A Vitest reporter that ends the output with `N passed, N failed, N skipped`, one line any log reader understands.

import type { Reporter, TestModule } from 'vitest/node'

const count = (modules: readonly TestModule[]): { passed: number; failed: number; skipped: number } => {
  const counts = { passed: 0, failed: 0, skipped: 0 }
  for (const module of modules) {
    if (module.errors().length > 0) counts.failed++
    for (const test of module.children.allTests()) {
      const state = test.result().state
      if (state === 'passed' || state === 'failed' || state === 'skipped') counts[state]++
    }
  }
  return counts
}

export const closingLine: Reporter = {
  onTestRunEnd(modules, errors) {
    const { passed, failed, skipped } = count(modules)
    process.stdout.write(`\n${passed} passed, ${failed + errors.length} failed, ${skipped} skipped\n`)
  },
}
