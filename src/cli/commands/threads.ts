// `kenning threads`: lists your conversations in a workspace, and writes one of them to a file for somebody else.

import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { extname } from 'node:path'
import type { KenningClient, Output } from '../../client/client.ts'
import { conversationDocx } from '../../transcript/docx.ts'
import { conversationMarkdown } from '../../transcript/markdown.ts'
import {
  type Context,
  findWorkspace,
  findWorkspaceOfThread,
  listAll,
  type WorkspaceOptions,
  wholePage,
} from '../context.ts'
import { nothingFound, wrongUse } from '../failure.ts'
import { safe, safeLines } from '../terminal.ts'

type Thread = Output<'getThread'>

const PAGE = 100

export async function listThreads(context: Context, options: WorkspaceOptions): Promise<void> {
  const { client } = await context.service(options)
  const { id } = await findWorkspace(context, client, options.workspace)
  const { signal } = context
  const threads = await listAll(client.all('listThreads', { workspace_id: id, limit: PAGE }, { signal }))
  if (options.json) return context.printJson(wholePage(threads))
  if (threads.length === 0) throw nothingFound('You have no conversation in this workspace.')
  for (const { id: threadId, title, updated_at } of threads)
    context.terminal.print(`${threadId}  ${updated_at.slice(0, 10)}  ${safe(title)}`)
}

/** @param file its extension, .md or .docx, decides the format; undefined: Markdown on standard output */
export async function exportThread(
  context: Context,
  threadId: string,
  file: string | undefined,
  options: WorkspaceOptions,
): Promise<void> {
  const extension = file === undefined ? '.md' : extname(file).toLowerCase()
  if (extension !== '.md' && extension !== '.docx') throw wrongUse('Name a file that ends with .md or .docx.')
  if (file !== undefined && existsSync(file))
    throw wrongUse(`${file} already exists. Choose another file name.`)
  const { client } = await context.service(options)
  const { id } = await findWorkspaceOfThread(context, client, options.workspace, threadId)
  const { title, turns } = await wholeThread(
    client,
    { workspace_id: id, thread_id: threadId },
    context.signal,
  )
  if (file === undefined) return context.terminal.print(safeLines(conversationMarkdown(title, turns)))
  const content =
    extension === '.md' ? `${conversationMarkdown(title, turns)}\n` : conversationDocx(title, turns)
  await writeFile(file, content, { flag: 'wx' })
  context.terminal.note(`Wrote “${safe(title)}” to ${safe(file)}.`)
}

async function wholeThread(
  client: KenningClient,
  thread: { workspace_id: string; thread_id: string },
  signal: AbortSignal,
): Promise<Pick<Thread, 'title' | 'turns'>> {
  const turns: Thread['turns'] = []
  for (let cursor: string | null = null; ; ) {
    const page: Thread = await client.getThread({ ...thread, ...(cursor && { cursor }) }, { signal })
    turns.push(...page.turns)
    cursor = page.next_cursor
    if (!page.has_more || cursor === null) return { title: page.title, turns }
  }
}
