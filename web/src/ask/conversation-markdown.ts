// A whole conversation as Markdown: each question a heading, its answer with the numbered sources below it.

import type { Output } from '../../../src/client/client.ts'
import { answerMarkdown } from './answer-markdown.ts'
import { sourcesOf } from './source.ts'

type Turn = Pick<Output<'getThread'>['turns'][number], 'question' | 'answer' | 'citations'>

/** A question on one line, in which nothing is markup. */
const headingOf = (question: string): string =>
  question
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\\`*_[\]<>#]/g, '\\$&')

export const conversationMarkdown = (title: string, turns: readonly Turn[]): string =>
  [
    `# ${headingOf(title)}`,
    ...turns.flatMap(({ question, answer, citations }) => [
      `## ${headingOf(question)}`,
      answerMarkdown(answer, sourcesOf(citations)),
    ]),
  ].join('\n\n')

/** A name for a file: its title without what file systems do not allow. */
export const fileNameOf = (title: string): string =>
  title
    .replace(/[\\/:*?"<>|\p{Cc}]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 80) || 'Conversation'
