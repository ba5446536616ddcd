// `kenning check` prints each sentence of a text, and whether the documents of a workspace support it.

import { readFile } from 'node:fs/promises'
import { text as readAll } from 'node:stream/consumers'
import type { Output } from '../../client/client.ts'
import { type Context, findWorkspace, type WorkspaceOptions } from '../context.ts'
import { nothingFound, wrongUse } from '../failure.ts'
import { pageSuffix, passageExcerpt } from '../passage.ts'
import { safe, type Terminal, textColumns, wrapText } from '../terminal.ts'

type Sentence = Output<'checkText'>['data'][number]

const COLOURS = { supported: 'green', contradicted: 'red', not_found: 'yellow' } as const
const LABELS = { supported: 'supported', contradicted: 'contradicted', not_found: 'not found' } as const

/** @param file a text file; `-` is standard input */
export async function check(context: Context, file: string, options: WorkspaceOptions): Promise<void> {
  const text = await textOf(file)
  const { client } = await context.service(options)
  const { id } = await findWorkspace(context, client, options.workspace)
  const result = await client.checkText({ workspace_id: id, text }, { signal: context.signal })
  if (options.json) {
    context.printJson(result)
    return
  }
  if (result.data.length === 0)
    return context.terminal.note('The text has no sentence that states something.')
  for (const sentence of result.data) printSentence(context.terminal, sentence)
  const { supported, contradicted, not_found } = result
  context.terminal.print('')
  context.terminal.print(`${supported} supported, ${contradicted} contradicted, ${not_found} not found`)
}

async function textOf(file: string): Promise<string> {
  const text = file === '-' ? await readAll(process.stdin) : await textInFile(file)
  // Office files, PDFs and images have a zero byte near their beginning.
  if (text.includes('\0')) throw wrongUse(`${file} is not a text file. Save what is to be checked as text.`)
  return text
}

async function textInFile(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw nothingFound(`${file} could not be read: ${(error as Error).message}`)
  }
}

function printSentence(terminal: Terminal, { text, verdict, passages }: Sentence): void {
  const width = textColumns(terminal)
  terminal.print(terminal.paint(COLOURS[verdict], LABELS[verdict]))
  terminal.print(wrapText(safe(text), width, '  '))
  for (const { document_title, page, text: quote } of passages) {
    const source = `${safe(document_title)}${pageSuffix(page)}`
    terminal.print(terminal.paint('dim', wrapText(`${source}: ${passageExcerpt(quote)}`, width, '    ')))
  }
}
