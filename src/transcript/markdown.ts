// Writes a conversation as Markdown: each question as a heading with its date, then its answer with the numbered sources below.

import type { Output } from '../client/client.ts'
import { answerMarkdown } from './answer-markdown.ts'
import { sourcesOf } from './source.ts'

export type Turn = Pick<
  Output<'getThread'>['turns'][number],
  'question' | 'answer' | 'citations' | 'created_at'
>

/** `2026-11-29 16:50 UTC`, the same for every reader. */
export const dateOf = (instant: string): string =>
  `${new Date(instant).toISOString().slice(0, 16).replace('T', ' ')} UTC`

/** A question on one line, with its markup escaped. */
const headingOf = (question: string): string =>
  question
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\\`*_[\]<>#]/g, '\\$&')

export const conversationMarkdown = (title: string, turns: readonly Turn[]): string =>
  [
    `# ${headingOf(title)}`,
    ...turns.flatMap(({ question, answer, citations, created_at }) => [
      `## ${headingOf(question)}`,
      `*${dateOf(created_at)}*`,
      answerMarkdown(answer, sourcesOf(citations)),
    ]),
  ].join('\n\n')

/** A name for a file: the title without characters that file systems do not allow. */
export const fileNameOf = (title: string): string =>
  title
    .replace(/[\\/:*?"<>|\p{Cc}]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 80) || 'Conversation'
