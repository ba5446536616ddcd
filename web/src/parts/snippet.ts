/** A passage on a few lines. The cells of a table have dots between them instead of rules. */
export const snippetOf = (text: string): string =>
  text
    .split('\n')
    .filter((line) => !/^\|[\s:|-]+\|$/.test(line))
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
