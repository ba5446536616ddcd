// Both generations of the MCP client, and both eras of the protocol, behind one small interface. The clients hold every
// structured result against the schema of its tool.

import { Client as Client2, StreamableHTTPClientTransport as Transport2 } from '@modelcontextprotocol/client'
import { StdioClientTransport as Stdio2 } from '@modelcontextprotocol/client/stdio'
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as Stdio1 } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport as Transport1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { TestApp } from './app.ts'
import { allowInBrowser, type Credentials } from './browser.ts'
import { keeper } from './oauth-client.ts'

export const GENERATIONS = ['client 2, modern', 'client 2, legacy', 'sdk 1'] as const
export type Generation = (typeof GENERATIONS)[number]

export interface ToolEntry {
  name: string
  description?: string
  inputSchema: object
  outputSchema?: object
  annotations?: object
}

export interface ToolResult {
  content: { type: string; text?: string }[]
  structuredContent?: Record<string, unknown>
  isError?: boolean
}

export interface Progress {
  progress: number
  message?: string
}

export interface CallOptions {
  onprogress?: (progress: Progress) => void
  signal?: AbortSignal
}

export interface McpClient {
  instructions: string | undefined
  tools(): Promise<ToolEntry[]>
  call(name: string, args?: Record<string, unknown>, options?: CallOptions): Promise<ToolResult>
  resources(): Promise<{ uri: string; name: string }[]>
  read(uri: string): Promise<string>
  prompts(): Promise<unknown[]>
  close(): Promise<void>
}

/** Without any credential: the client is refused, finds out where to sign in, and sends its person there. */
export async function signInToMcp(generation: Generation, url: string, who: Credentials): Promise<McpClient> {
  const { kept, provider } = keeper()
  const authProvider = provider as never
  const transport =
    generation === 'sdk 1'
      ? new Transport1(new URL(url), { authProvider })
      : new Transport2(new URL(url), { authProvider })
  const refusal = await connectWith(generation, transport).then(
    () => undefined,
    (error: unknown) => error,
  )
  if (!kept.sentTo) throw new Error(`the client was not sent to sign in: ${refusal}`)
  const back = await allowInBrowser(kept.sentTo, who)
  await transport.finishAuth(back.searchParams.get('code') ?? '', back.searchParams.get('iss') ?? undefined)
  return connectMcp(generation, url, { authProvider: provider })
}

/** What both generations of the client have in common. */
interface AnyClient {
  getInstructions(): string | undefined
  listTools(params: undefined, options: { timeout: number }): Promise<unknown>
  listResources(params: undefined, options: { timeout: number }): Promise<unknown>
  listPrompts(): Promise<unknown>
  readResource(params: { uri: string }, options: { timeout: number }): Promise<unknown>
  close(): Promise<void>
}

/** Connects with a bearer, or with a provider of the client's own sign-in. */
export async function connectMcp(
  generation: Generation,
  url: string,
  how: { token: string } | { authProvider: object },
): Promise<McpClient> {
  const options: object =
    'token' in how ? { requestInit: { headers: { authorization: `Bearer ${how.token}` } } } : how
  const transport =
    generation === 'sdk 1' ? new Transport1(new URL(url), options) : new Transport2(new URL(url), options)
  return connectWith(generation, transport)
}

export interface Program {
  command: string
  args: string[]
  env: Record<string, string>
}

/** As a host that starts its server as a program. */
export async function connectToProgram(
  generation: Generation,
  program: Program,
): Promise<{ client: McpClient; pid: number; errors: () => string; ended: Promise<void> }> {
  const options = { ...program, stderr: 'pipe' as const }
  const transport = generation === 'sdk 1' ? new Stdio1(options) : new Stdio2(options)
  let text = ''
  transport.stderr?.on('data', (piece) => {
    text += piece
  })
  const client = await connectWith(generation, transport)
  const ended = new Promise<void>((resolve) => {
    const before = transport.onclose
    transport.onclose = () => {
      before?.()
      resolve()
    }
  })
  return { client, pid: transport.pid ?? 0, errors: () => text, ended }
}

// The SDKs give a request a minute, which a busy machine may need for a start.
const PATIENT = { timeout: 300_000 }

async function connectWith(
  generation: Generation,
  transport: Transport1 | Transport2 | Stdio1 | Stdio2,
): Promise<McpClient> {
  const info = { name: 'a test', version: '1' }
  if (generation === 'sdk 1') {
    const client = new Client1(info)
    await client.connect(transport as never, PATIENT)
    return wrapped(client as unknown as AnyClient, (name, args, options) =>
      client.callTool({ name, arguments: args }, undefined, { ...PATIENT, ...options } as never),
    )
  }
  const mode = generation === 'client 2, modern' ? 'auto' : 'legacy'
  const client = new Client2(info, { versionNegotiation: { mode } })
  await client.connect(transport as never, PATIENT)
  return wrapped(client as unknown as AnyClient, (name, args, options) =>
    client.callTool({ name, arguments: args }, { ...PATIENT, ...options } as never),
  )
}

const wrapped = (
  client: AnyClient,
  call: (name: string, args: Record<string, unknown>, options: CallOptions) => Promise<unknown>,
): McpClient => ({
  instructions: client.getInstructions(),
  tools: async () => ((await client.listTools(undefined, PATIENT)) as { tools: ToolEntry[] }).tools,
  call: async (name, args = {}, options = {}) => (await call(name, args, options)) as ToolResult,
  resources: async () =>
    ((await client.listResources(undefined, PATIENT)) as { resources: { uri: string; name: string }[] })
      .resources,
  read: async (uri) => {
    const { contents } = (await client.readResource({ uri }, PATIENT)) as { contents: { text: string }[] }
    return contents[0]?.text ?? ''
  },
  prompts: async () => ((await client.listPrompts()) as { prompts: unknown[] }).prompts,
  close: () => client.close(),
})

/** The structured result of a call that must succeed. */
export function resultOf<Body>({ isError, content, structuredContent }: ToolResult): Body {
  if (isError) throw new Error(`the tool failed: ${content[0]?.text}`)
  return structuredContent as Body
}

export const textOf = ({ content }: ToolResult): string => content[0]?.text ?? ''

interface Rpc {
  status: number
  headers: Record<string, unknown>
  body: { result?: Record<string, unknown>; error?: { code: number; message: string } }
}

/** A message as a client of 2025 sends it, without a client: what it gets, whatever that is. */
export async function rpc(
  app: Pick<TestApp, 'server'>,
  token: string | undefined,
  method: string,
  params: object = {},
  more: { headers?: Record<string, string>; payload?: string } = {},
): Promise<Rpc> {
  const answer = await app.server.inject({
    method: 'POST',
    url: '/v1/mcp',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      host: '127.0.0.1',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...more.headers,
    },
    payload: more.payload ?? JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const events = answer.body.split('\n').filter((line) => line.startsWith('data: {'))
  const last = events.at(-1)?.slice('data: '.length) ?? answer.body
  return { status: answer.statusCode, headers: answer.headers, body: JSON.parse(last || '{}') as Rpc['body'] }
}

export const callRaw = async (
  app: Pick<TestApp, 'server'>,
  token: string,
  name: string,
  args: object,
): Promise<ToolResult> =>
  (await rpc(app, token, 'tools/call', { name, arguments: args })).body.result as unknown as ToolResult
