// Marks in a text.

import type { ReactNode } from 'react'
import type { Span } from './spans.ts'

/** `text` with its spans marked. Overlapping ones are joined. */
export function Marked({ text, spans }: { text: string; spans: readonly Span[] }): ReactNode {
  const parts: ReactNode[] = []
  let position = 0
  for (const { start, end, current } of [...spans].sort((a, b) => a.start - b.start)) {
    if (end <= position) continue
    const from = Math.max(position, start)
    parts.push(
      text.slice(position, from),
      <mark key={from} aria-current={current || undefined}>
        {text.slice(from, end)}
      </mark>,
    )
    position = end
  }
  parts.push(text.slice(position))
  return parts
}
