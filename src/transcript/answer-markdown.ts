// Writes an answer as Markdown, with its numbered sources and their addresses below it.

import type { Source } from './source.ts'

const escapeBrackets = (text: string): string => text.replace(/[\\[\]]/g, '\\$&')

export function answerMarkdown(answer: string, sources: readonly Source[]): string {
  if (sources.length === 0) return answer
  return [answer, '', 'Sources:', '', ...sources.map(sourceLine)].join('\n')
}

export function sourceLine({ number, title, page, url, state }: Source): string {
  if (state === 'deleted' || title === null) return `${number}. A document that was deleted`
  const name = `${escapeBrackets(title)}${page ? `, page ${page}` : ''}`
  return `${number}. ${url ? `[${name}](${url})` : name}`
}
