// Every statement of the sources that a test runs is held against the rules of statement-rules.ts; those that break one fail
// the file. On the embedded engine, where a statement is sent by the function that says it: a server's come from a pool.

import { loadModule } from 'libpg-query'
import pg from 'pg'
import { afterAll, expect } from 'vitest'
import { brokenRules } from './statement-rules.ts'

interface Watched {
  kenningStatements?: { seen: Set<string>; broken: Set<string> }
}

const watched = globalThis as Watched

if (watched.kenningStatements === undefined) {
  await loadModule()
  const statementRecord = { seen: new Set<string>(), broken: new Set<string>() }
  watched.kenningStatements = statementRecord
  watch(pg.Client.prototype, statementRecord)
  watch(Object.getPrototypeOf(pg.Pool.prototype), statementRecord)
}

afterAll(() => {
  const violations = [...(watched.kenningStatements?.broken ?? [])]
  watched.kenningStatements?.broken.clear()
  expect(violations, 'statements that Citus refuses (test/support/statement-rules.ts)').toEqual([])
})

type Query = (...given: unknown[]) => unknown

function watch(
  prototype: { query: Query },
  { seen, broken }: NonNullable<Watched['kenningStatements']>,
): void {
  const { query } = prototype
  prototype.query = function (this: unknown, ...given: unknown[]): unknown {
    const text = (given[0] as { text?: unknown }).text
    if (typeof text === 'string' && !seen.has(text)) {
      const from = sourceOf()
      if (from) seen.add(text)
      if (from) for (const rule of brokenRules(text)) broken.add(`${from}: ${rule}\n${text.trim()}`)
    }
    return query.apply(this, given)
  }
}

/** The file and line that say a statement; undefined for one of a test, a bench or an operator's command. */
function sourceOf(): string | undefined {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 40
  const frames = (new Error().stack ?? '').split('\n')
  Error.stackTraceLimit = stackTraceLimit
  const frame = frames.find((line) => /\.sql\.ts:\d+/.test(line))
  const [, place] = /\/(src\/(?!operator\/)[^:]+\.sql\.ts:\d+)/.exec(frame ?? '') ?? []
  return place
}
