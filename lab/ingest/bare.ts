// The parser library alone, in this process, with the options that the service uses.

import { LiteParse, type LiteParseConfig } from '@llamaindex/liteparse'
import { BATCH_PAGES } from '../../src/reader/formats/pdf/parse.ts'
import { liteparseOptions } from '../../src/reader/shared/page/liteparse-options.ts'

export interface Bare {
  pages: number
  seconds: number
  /** Seconds of processor time. */
  cpu: number
}

export async function bareParser(paths: string[], other: Partial<LiteParseConfig> = {}): Promise<Bare> {
  const parser = new LiteParse({ ...liteparseOptions, ...other })
  const before = process.cpuUsage()
  const started = performance.now()
  let pages = 0
  for (const path of paths) {
    for await (const { result } of parser.parseBatches(path, { batchSize: BATCH_PAGES }))
      pages += result.pages.length
  }
  const used = process.cpuUsage(before)
  return { pages, seconds: (performance.now() - started) / 1000, cpu: (used.user + used.system) / 1e6 }
}
