// A long scan, read in rounds: what one gave is kept beside the parsed files, so that between two of them others have
// their turn, and a restart costs a round at most.

import type { ParsedDocument, ScanRound } from '../../reader/reader.ts'
import { entry, type ParsedDeps, type ParsedKey, read, rememberParsed, toBytes } from './parsed.ts'

/**
 * One round of parsing a long scan, continuing from the rounds kept before; undefined when another is to follow. Between two
 * rounds other files have their turn, and a restart costs one round at most. When nothing can be kept (no cache, a full
 * disk) all rounds are read at once.
 */
export async function parseRound(
  deps: ParsedDeps,
  key: ParsedKey,
  parse: (round: 'first' | ScanRound) => Promise<ParsedDocument>,
): Promise<ParsedDocument | undefined> {
  const place = `${entry(deps, key.workspaceId, key)}.round`
  let before = read<ScanRound>(await deps.cache?.get(place))
  for (;;) {
    const parsed = await parse(before ?? 'first')
    const { unfinished } = parsed
    if (unfinished === undefined) {
      await rememberParsed(deps, key, parsed)
      if (before) await deps.cache?.drop(place)
      return parsed
    }
    const bytes = toBytes(unfinished)
    await deps.cache?.put(place, bytes)
    if ((await deps.cache?.get(place))?.equals(bytes)) return undefined
    before = unfinished
  }
}
