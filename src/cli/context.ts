// The context of a command: the terminal, the service, and the workspace.

import { type AskEvent, createClient, type KenningClient, KenningError } from '../client/client.ts'
import type { Workspace } from '../contract/resources.ts'
import type { CommandLineConfig } from './config.ts'
import { nothingFound, ServiceUnreached, wrongUse } from './failure.ts'
import { findCredential, type ServerOptions } from './login/credential.ts'
import { openProfile, type ProfileFile } from './login/profile.ts'
import { serviceFetch } from './outbound.ts'
import { safe, type Terminal } from './terminal.ts'

export interface CommonOptions extends ServerOptions {
  json?: boolean
}

export interface WorkspaceOptions extends CommonOptions {
  workspace?: string
}

export interface Context {
  terminal: Terminal
  config: CommandLineConfig
  profile: ProfileFile
  /** Aborted when the user interrupts the command. */
  signal: AbortSignal
  /** The module that runs the processes of a service. */
  main: URL
  stdin: NodeJS.ReadStream
  /** Prints the result as JSON on one line. */
  printJson(value: unknown): void
  /**
   * The service of the options, or the one at which the user is signed in.
   * @throws CommandFailed with exit code 3 without a sign-in
   */
  service(options: ServerOptions): Promise<Service>
}

interface Service {
  origin: string
  client: KenningClient
  token: string | ((renew: boolean) => Promise<string>)
}

export function makeContext(
  inputs: Pick<Context, 'terminal' | 'config' | 'signal' | 'main' | 'stdin'>,
): Context {
  const profile = openProfile(inputs.config.folders.config)
  return {
    ...inputs,
    profile,
    printJson: (value) => inputs.terminal.print(JSON.stringify(value)),
    service: async (options) => {
      const { origin, token } = await findCredential(options, inputs.config, profile)
      const fetchFromService: typeof fetch = async (address, init) => {
        try {
          return await serviceFetch(address, init)
        } catch (error) {
          throw new ServiceUnreached(origin, error)
        }
      }
      const baseUrl = `${origin}/v1`
      return { origin, token, client: createClient({ baseUrl, token, fetch: fetchFromService }) }
    },
  }
}

/** What answers questions: a workspace of a service, or a local library. */
export interface QuestionSession {
  ask(question: string, threadId: string | undefined): AsyncIterable<AskEvent>
  close(): Promise<void>
}

export async function listAll<Item>(
  items: AsyncIterable<Item>,
  maxItems = Number.POSITIVE_INFINITY,
): Promise<Item[]> {
  const result: Item[] = []
  for await (const item of items) {
    result.push(item)
    if (result.length >= maxItems) break
  }
  return result
}

/** For `catch`: undefined if the service answered that the object does not exist. @throws any other error */
export function undefinedIfMissing(error: unknown): undefined {
  if (error instanceof KenningError && error.status === 404) return undefined
  throw error
}

/** All items as one page of the API. */
export const wholePage = <Item>(data: Item[]) => ({ data, has_more: false, next_cursor: null })

const UUID = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i

export const isUuid = (text: string): boolean => UUID.test(text)

/**
 * The workspace with that name or id. Without a name or id, it is the only workspace, or the one that the user chooses.
 * @throws CommandFailed with exit code 4 if there is no such workspace, 2 if it is ambiguous
 */
export async function findWorkspace(
  context: Context,
  client: KenningClient,
  idOrName: string | undefined,
): Promise<Workspace> {
  if (idOrName !== undefined && isUuid(idOrName)) {
    const workspace = await client.getWorkspace({ workspace_id: idOrName }).catch(undefinedIfMissing)
    if (workspace) return workspace
  }
  const workspaces = await listAll(client.all('listWorkspaces', { limit: 200 }))
  if (idOrName !== undefined) return matchWorkspace(workspaces, idOrName)
  const [single, ...others] = workspaces
  if (single === undefined)
    throw nothingFound('You have no workspace yet. Create one: kenning workspaces create NAME')
  if (others.length === 0) return single
  if (context.terminal.isInteractive) return promptForWorkspace(workspaces)
  throw wrongUse(`Name the workspace with --workspace. Yours are:\n${workspaceLines(workspaces)}`)
}

/**
 * The workspace of a conversation of the user. Without its name or id, the conversation is looked for in all workspaces of the
 * user.
 * @throws CommandFailed with exit code 4 if no workspace has the conversation
 */
export async function findWorkspaceOfThread(
  context: Context,
  client: KenningClient,
  idOrName: string | undefined,
  threadId: string,
): Promise<{ id: string }> {
  if (idOrName !== undefined) return findWorkspace(context, client, idOrName)
  const { signal } = context
  for await (const { id } of client.all('listWorkspaces', { limit: 200 }, { signal })) {
    const thread = { workspace_id: id, thread_id: threadId, limit: 1 }
    const isHere = await client.getThread(thread, { signal }).then(
      () => true,
      (error: unknown) => {
        if (error instanceof KenningError && error.status === 404) return false
        throw error
      },
    )
    if (isHere) return { id }
  }
  throw nothingFound(
    `You have no conversation ${threadId}. Yours in a workspace: kenning threads --workspace NAME`,
  )
}

function matchWorkspace(workspaces: readonly Workspace[], idOrName: string): Workspace {
  const normalizedName = (text: string): string => text.normalize('NFKC').trim().toLowerCase()
  const exactMatches = workspaces.filter(({ name }) => name === idOrName)
  const matches =
    exactMatches.length > 0
      ? exactMatches
      : workspaces.filter(({ name }) => normalizedName(name) === normalizedName(idOrName))
  const [match, ...otherMatches] = matches
  if (match && otherMatches.length === 0) return match
  if (match)
    throw wrongUse(
      `${matches.length} workspaces have the name “${idOrName}”. Use an id:\n${workspaceLines(matches)}`,
    )
  const hint = workspaces.length > 0 ? ` Yours are:\n${workspaceLines(workspaces)}` : ' You have none yet.'
  throw nothingFound(`There is no workspace “${idOrName}”.${hint}`)
}

const MAX_LISTED_WORKSPACES = 20

function workspaceLines(workspaces: readonly Workspace[]): string {
  const lines = workspaces.slice(0, MAX_LISTED_WORKSPACES).map(({ id, name }) => `  ${id}  ${safe(name)}`)
  const omittedCount = workspaces.length - lines.length
  return [...lines, ...(omittedCount > 0 ? [`  … and ${omittedCount} more (kenning workspaces)`] : [])].join(
    '\n',
  )
}

/**
 * Whether the user confirms what the command is about to do. With the option `--yes` nobody is asked.
 * @param details printed before the question
 * @throws CommandFailed with exit code 2 and `refusal` if nobody can answer
 */
export async function isConfirmed(
  { terminal }: Pick<Context, 'terminal'>,
  yes: boolean | undefined,
  { question, refusal, details }: { question: string; refusal: string; details?: string },
): Promise<boolean> {
  if (yes) return true
  if (!terminal.isInteractive) throw wrongUse(refusal)
  const { confirm } = await import('./prompts.ts')
  if (details !== undefined) terminal.note(details)
  return confirm(question)
}

async function promptForWorkspace(workspaces: readonly Workspace[]): Promise<Workspace> {
  const { select } = await import('./prompts.ts')
  const options = workspaces.map((workspace) => ({ value: workspace, label: safe(workspace.name) }))
  return select('Which workspace?', options)
}
