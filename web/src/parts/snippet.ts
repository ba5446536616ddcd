import { quoteOf, type Source } from '../../../src/transcript/source.ts'

/** A passage on a few lines, without the fences of code. The cells of a table have dots between them instead of rules. */
export const snippetOf = (text: string): string =>
  text
    .split('\n')
    .filter((line) => !/^(?:\|[\s:|-]+\||```\S*)$/.test(line))
    .map((line) =>
      line.startsWith('|')
        ? line
            .slice(1, -1)
            .split(/(?<!\\)\|/)
            .map((cell) => cell.trim().replaceAll('\\|', '|'))
            .filter(Boolean)
            .join(' · ')
        : line,
    )
    .join('\n')

const EMPTY_CELLS = / ·(?: +·)+ /g

/** The cited sentences of a source; without known sentences the whole passage. */
export function citedTextOf(source: Pick<Source, 'text' | 'spans'>): string {
  const { text, spans } = quoteOf(source)
  return spans.length === 0
    ? snippetOf(text)
    : spans.map(({ start, end }) => text.slice(start, end).replace(EMPTY_CELLS, ' · ').trim()).join(' … ')
}
