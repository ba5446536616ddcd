// A parser steps back: searches are answered first, and when memory is short the system ends it before database and API.

import { writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'

const NICE = 5
const FIRST_TO_GO = '1000'

/** Both are allowed to everyone on Linux; a system that knows neither loses nothing. */
export function yieldToOthers(): void {
  try {
    setPriority(NICE)
    writeFileSync('/proc/self/oom_score_adj', FIRST_TO_GO)
  } catch {
    // Windows and macOS have no such file.
  }
}
