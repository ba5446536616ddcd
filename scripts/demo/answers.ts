// Asks a question, shows the steps as they arrive and the answer with its cited passages, and checks the citations.

import type { Answer, Step } from '../../src/contract/resources.ts'
import { type Client, messageOf } from './client.ts'
import { DemoFailure } from './failure.ts'
import { passageLines } from './print/passages.ts'
import { printable, type Terminal, wrap } from './print/terminal.ts'
import { wordsOf } from './print/words.ts'
import type { Expectation, TourQuestion } from './tour.ts'

/** Asks one question and prints the answer. @returns sentences about what is wrong with it */
export async function askAndShow(
  client: Client,
  terminal: Terminal,
  workspaceId: string,
  { question, about, expect }: TourQuestion,
): Promise<string[]> {
  const note = about ? terminal.style('faint', `  (${about})`) : ''
  terminal.print()
  for (const line of wrap(terminal.style('title', question) + note, terminal.width, '  ', '? '))
    terminal.print(line)
  const answer = await ask(client, terminal, workspaceId, question)
  showAnswer(terminal, question, answer)
  return problemsOf(answer, expect).map((problem) => `“${question}”: ${problem}`)
}

async function ask(
  client: Client,
  terminal: Terminal,
  workspaceId: string,
  question: string,
): Promise<Answer> {
  const path = `/workspaces/${workspaceId}/ask`
  const events = await client.events(path, { question, stream: true })
  if (!events) throw new DemoFailure('POST ask with stream: true did not answer with an event stream.')
  for await (const { event, data } of events) {
    if (event === 'step') showStep(terminal, JSON.parse(data) as Step)
    if (event === 'error') throw new DemoFailure(`The question ended with an error: ${messageOf(data)}`)
    if (event === 'answer') return JSON.parse(data) as Answer
  }
  throw new DemoFailure('The stream of the question ended without an answer.')
}

function showStep(terminal: Terminal, step: Step): void {
  const found = step.result_count === undefined ? '' : ` → ${step.result_count}`
  const text = `${printable(step.label)}${found}  ${(step.elapsed_ms / 1000).toFixed(2)} s`
  for (const line of wrap(text, terminal.width, '      ', '    · '))
    terminal.print(terminal.style('faint', line))
}

function showAnswer(terminal: Terminal, question: string, { answer, citations }: Answer): void {
  terminal.print()
  for (const line of markdownLines(terminal, printable(answer).trim())) terminal.print(line)
  if (citations.length === 0) terminal.print(terminal.style('faint', '  No passage is cited.'))
  else terminal.print()
  const words = wordsOf(question)
  for (const citation of citations) {
    const label = terminal.style('accent', `[${citation.number}]`)
    for (const line of passageLines(terminal, label, citation, words)) terminal.print(line)
  }
}

/** Wraps the text; the lines of a list item are indented to its first word. */
const markdownLines = (terminal: Terminal, text: string): string[] =>
  markdown(terminal, text)
    .split('\n')
    .flatMap((line) => {
      const bullet = /^(?:[-*]|\d+\.) /.exec(line)?.[0] ?? ''
      return wrap(line.slice(bullet.length), terminal.width, `  ${' '.repeat(bullet.length)}`, `  ${bullet}`)
    })

/** Styles headings, emphasis and citation markers; other Markdown stays as it is. */
const markdown = (terminal: Terminal, text: string): string =>
  text
    .replace(/^#+\s+(.*)$/gm, (_, heading: string) => terminal.style('title', heading))
    .replace(/\*\*([^*\n]+)\*\*/g, (_, strong: string) =>
      words(strong, (word) => terminal.style('title', word)),
    )
    .replace(/\[\d+\]/g, (marker) => terminal.style('accent', marker))

/** Styles each word by itself, so that lines can break between them. */
const words = (text: string, change: (word: string) => string): string =>
  text.split(' ').map(change).join(' ')

/** Checks that every marker has a citation and every citation a marker, and then what the tour expects. */
export function problemsOf({ answer, citations }: Answer, expect: Expectation | undefined): string[] {
  const markers = new Set([...answer.matchAll(/\[(\d+)\]/g)].map(([, number]) => Number(number)))
  const numbers = new Set(citations.map(({ number }) => number))
  const problems = [...markers].filter((n) => !numbers.has(n)).map((n) => `[${n}] has no citation.`)
  for (const { number, text } of citations) {
    if (!markers.has(number)) problems.push(`citation ${number} is not marked in the answer.`)
    if (!text.trim()) problems.push(`citation ${number} has no text.`)
  }
  return expect ? [...problems, ...unmet(citations, expect)] : problems
}

function unmet(citations: Answer['citations'], { cited, documents }: Expectation): string[] {
  if (documents === 0) {
    return citations.length ? ['the library does not have the answer, but passages are cited.'] : []
  }
  const text = citations.map((citation) => citation.text.replace(/\s+/g, ' ')).join('\n')
  const named = new Set(citations.map(({ document_id }) => document_id)).size
  return [
    ...cited.filter((words) => !text.includes(words)).map((words) => `no cited passage contains “${words}”.`),
    ...(named < documents ? [`${named} document(s) cited, expected ${documents}.`] : []),
  ]
}
