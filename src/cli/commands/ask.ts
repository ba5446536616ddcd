// `kenning ask`: an answer with its sources, from a workspace or, without any service, from a local folder.

import { existsSync } from 'node:fs'
import type { KenningClient } from '../../client/client.ts'
import type { Answer, Step } from '../../contract/resources.ts'
import { answerPrinter } from '../answer-printer.ts'
import {
  type Context,
  findWorkspace,
  findWorkspaceOfThread,
  listAll,
  type QuestionSession,
  type WorkspaceOptions,
} from '../context.ts'
import { CommandFailed, nothingFound, wrongUse } from '../failure.ts'
import { neighboursOf } from '../files/neighbours.ts'
import { pageSuffix, passageExcerpt } from '../passage.ts'
import { safe, type Terminal, textColumns, wrapText } from '../terminal.ts'

interface AskOptions extends WorkspaceOptions {
  continue?: boolean
  thread?: string
}

export async function ask(
  context: Context,
  firstArgument: string | undefined,
  secondArgument: string | undefined,
  options: AskOptions,
): Promise<void> {
  const folder = secondArgument === undefined && !isExistingPath(firstArgument) ? undefined : firstArgument
  const question = folder === undefined ? firstArgument : secondArgument
  if (question === undefined && !context.terminal.isInteractive)
    throw wrongUse('Add a question: kenning ask "…?"')
  if (folder !== undefined && !existsSync(folder))
    throw nothingFound(`There is no file or folder ${folder}. ${await neighboursOf(folder)}`)
  const { session, thread } =
    folder === undefined
      ? await openWorkspaceSession(context, options)
      : await openFolderSession(context, folder, options)
  try {
    if (question === undefined) await converse(context, session, thread, options)
    else await answerOne(context, session, { question, threadId: thread, options })
  } finally {
    await session.close()
  }
}

/** Whether the argument is an existing path that begins with ./, ../, / or ~/. Questions hardly ever begin with these. */
const isExistingPath = (text: string | undefined): boolean =>
  text !== undefined && (/^(\.{0,2}|~)\//.test(text) || text === '.' || text === '..') && existsSync(text)

async function openWorkspaceSession(
  context: Context,
  options: AskOptions,
): Promise<{ session: QuestionSession; thread: string | undefined }> {
  const { client } = await context.service(options)
  const { workspaceId, thread } = await conversationOf(context, client, options)
  const { signal } = context
  const session: QuestionSession = {
    ask: (question, threadId) =>
      client.askEvents(
        { workspace_id: workspaceId, question, ...(threadId === undefined ? {} : { thread_id: threadId }) },
        { signal },
      ),
    close: async () => undefined,
  }
  return { session, thread }
}

/**
 * The workspace that is asked, and the conversation that continues. Without a workspace in the options, it is the conversation's.
 */
async function conversationOf(
  context: Context,
  client: KenningClient,
  options: AskOptions,
): Promise<{ workspaceId: string; thread: string | undefined }> {
  const { workspace, thread } = options
  if (thread !== undefined) {
    const { id } = await findWorkspaceOfThread(context, client, workspace, thread)
    return { workspaceId: id, thread }
  }
  if (!options.continue) {
    const { id } = await findWorkspace(context, client, workspace)
    return { workspaceId: id, thread: undefined }
  }
  const workspaces =
    workspace === undefined
      ? await listAll(client.all('listWorkspaces', { limit: 200 }, { signal: context.signal }))
      : [await findWorkspace(context, client, workspace)]
  let latest: { workspaceId: string; thread: string; updatedAt: string } | undefined
  for (const { id: workspaceId } of workspaces) {
    const [first] = (
      await client.listThreads({ workspace_id: workspaceId, limit: 1 }, { signal: context.signal })
    ).data
    if (first && (latest === undefined || first.updated_at > latest.updatedAt))
      latest = { workspaceId, thread: first.id, updatedAt: first.updated_at }
  }
  if (!latest) throw nothingFound('You have no conversation yet. Ask without --continue.')
  return latest
}

async function openFolderSession(
  context: Context,
  folder: string,
  options: AskOptions,
): Promise<{ session: QuestionSession; thread: string | undefined }> {
  if (options.workspace ?? options.server ?? options.token)
    throw wrongUse('Questions to a folder need no service: leave out --workspace, --server and --token.')
  const { openLibrary } = await import('../library/library.ts')
  const { session, latestThread } = await openLibrary(context, folder)
  return { session, thread: options.thread ?? (options.continue ? await latestThread() : undefined) }
}

async function answerOne(
  context: Context,
  session: QuestionSession,
  {
    question,
    threadId,
    options: { json },
  }: { question: string; threadId: string | undefined; options: AskOptions },
): Promise<Answer> {
  const { terminal } = context
  const printer = answerPrinter(terminal)
  for await (const { event, data } of session.ask(question, threadId)) {
    if (event === 'step') {
      if (json || !terminal.isOutputTerminal) continue
      if (data.restart) printer.restart()
      if (data.text !== undefined) printer.add(data.text)
      else if (!printer.isWriting()) printStep(terminal, data)
    } else {
      if (json) context.printJson(data)
      else {
        if (data.value)
          terminal.print(`${terminal.paint('bold', safe(data.value.text))} [${data.value.citation}]\n`)
        printer.finish(data.answer)
        printSources(terminal, data)
      }
      return data
    }
  }
  throw new CommandFailed('The service ended the answer early. Ask again.')
}

/** Answers questions of one conversation, one after the other, until the person enters nothing. */
async function converse(
  context: Context,
  session: QuestionSession,
  threadId: string | undefined,
  options: AskOptions,
): Promise<void> {
  const { askLine } = await import('../prompts.ts')
  for (let thread = threadId; ; ) {
    const question = await askLine(
      thread === undefined ? 'Your question' : 'And now?',
      'Enter nothing to end',
    )
    if (question === undefined) return
    thread = (await answerOne(context, session, { question, threadId: thread, options })).thread_id
  }
}

function printStep(terminal: Terminal, { label, result_count, elapsed_ms }: Step): void {
  const resultNote = result_count === undefined ? '' : ` → ${result_count}`
  terminal.note(terminal.paint('dim', `· ${safe(label)}${resultNote}  ${(elapsed_ms / 1000).toFixed(1)} s`))
}

function printSources(terminal: Terminal, { citations }: Answer): void {
  if (citations.length === 0) return
  const width = textColumns(terminal)
  terminal.print('')
  terminal.print(terminal.paint('bold', 'Sources'))
  for (const { number, document_title, page, text } of citations) {
    terminal.print(`[${number}] ${safe(document_title ?? 'untitled')}${pageSuffix(page)}`)
    terminal.print(terminal.paint('dim', wrapText(passageExcerpt(text), width, '    ')))
  }
}
