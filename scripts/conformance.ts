// Runs the conformance suite of the Model Context Protocol against the built service (`npm run test:conformance`). It is not
// part of the gate, since npm has to fetch the suite, and the Node.js 22 that it needs.

import { spawn } from 'node:child_process'
import { createServer, request as httpRequest, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import type { Workspace } from '../src/contract/resources.ts'
import { makeClient } from '../test/support/client.ts'
import { startService } from '../test/support/service.ts'

const PACKAGE = '@modelcontextprotocol/conformance'
// What the package `node` installs by a script, which npm no longer runs unasked.
const NODE = `node-${process.platform}-${process.arch}@22.23.3`
const LIMIT_MS = 300_000

interface Suite {
  version: string
  revision: string
  /** Scenarios about any server. */
  apply: string[]
}

/** The released suite knows the protocol of 2025; the one of 2026-07-28 has only a preview so far. */
const suites: Suite[] = [
  {
    version: '0.1.16',
    revision: '2025-11-25',
    apply: [
      'server-initialize',
      'ping',
      'tools-list',
      'resources-list',
      'prompts-list',
      'server-sse-multiple-streams',
      'dns-rebinding-protection',
    ],
  },
  {
    version: '0.2.0-alpha.12',
    revision: '2026-07-28',
    apply: [
      'server-stateless',
      'tools-list',
      'resources-list',
      'sep-2164-resource-not-found',
      'prompts-list',
      'server-sse-multiple-streams',
      'dns-rebinding-protection',
      'caching',
      'http-header-validation',
      'input-required-result-unsupported-methods',
    ],
  },
]

/** Everything else is about tools, prompts and resources of the example server, or about what Kenning does not offer. */
const doNotApply: Record<string, RegExp> = {
  'tools, prompts and resources of the example server':
    /^(tools-call-(simple|image|audio|embedded|mixed|with|error)|json-schema-|resources-(read|templates)-|prompts-get-|http-custom-header)/,
  'requests to the client, which a server without sessions does not make':
    /^(tools-call-(sampling|elicitation)|elicitation-|input-required-)/,
  'what Kenning does not announce: sessions, logging, completions, subscriptions to resources, extensions':
    /^(server-session|server-initialize|ping|server-sse-polling|logging-|completion-|resources-(un)?subscribe|tasks-|sep-2640)/,
}

/** The suite sends no credential: what it sends is passed on with one, and nothing else is changed. */
async function withCredential(origin: string, token: () => Promise<string>): Promise<Server> {
  const bearer = await token()
  const server = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${bearer}` }
    const forwarded = httpRequest(new URL(incoming.url ?? '/', origin), { method: incoming.method, headers })
    forwarded.on('response', (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    forwarded.on('error', () => outgoing.destroy())
    incoming.pipe(forwarded)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}

/** In a folder that is no project: its packages are no dependencies of ours. */
const run = (version: string, ...args: string[]): Promise<{ code: number | null; output: string }> =>
  new Promise((resolve, reject) => {
    const packages = [`--package=${NODE}`, `--package=${PACKAGE}@${version}`]
    const child = spawn('npm', ['exec', '--yes', ...packages, '--', 'conformance', ...args], {
      cwd: tmpdir(),
      timeout: LIMIT_MS,
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (piece) => {
        output += piece
      })
    child.once('error', reject)
    child.once('exit', (code) => resolve({ code, output }))
  })

/** The scenarios that apply; every other one has a reason above, so that a new one is noticed. */
async function scenariosOf({ version, apply }: Suite): Promise<string[]> {
  const { output } = await run(version, 'list', '--server')
  const names = [...output.matchAll(/^ {2}- ([\w-]+)/gm)].map(([, name = '']) => name)
  const others = names.filter((name) => !apply.includes(name))
  const unknown = others.filter((name) => !Object.values(doNotApply).some((pattern) => pattern.test(name)))
  const missing = apply.filter((name) => !names.includes(name))
  if (unknown.length || missing.length) throw new Error(`unknown: ${unknown}; missing: ${missing}\n${output}`)
  return others
}

// Some scenarios have single checks that call a tool of the example server.
const NOT_TESTABLE = /^\s*Error: Not testable: server does not list the diagnostic tool/
const ESCAPES = new RegExp(`${String.fromCharCode(27)}\\[[\\d;]*m`, 'g')

/** What failed, in the suite's words; none if the scenario passed. */
async function failuresOf({ version, revision }: Suite, name: string, url: string): Promise<string[]> {
  const { code, output } = await run(
    version,
    ...['server', '--url', url, '--scenario', name, '--spec-version', revision],
  )
  const lines = output.replace(ESCAPES, '').split('\n')
  const errors = lines.filter((line) => /^\s*Error:/.test(line))
  if (!lines.some((line) => line.startsWith('Passed: ')) || (code !== 0 && errors.length === 0)) return lines
  return errors.filter((line) => !NOT_TESTABLE.test(line))
}

/** @returns whether every scenario that applies passed */
async function runSuite(suite: Suite, url: string): Promise<boolean> {
  const others = await scenariosOf(suite)
  let passed = 0
  for (const name of suite.apply) {
    const failures = await failuresOf(suite, name, url)
    const verdict = failures.length ? 'FAILED' : 'passed'
    process.stdout.write([`${verdict}  ${suite.revision}  ${name}`, ...failures, ''].join('\n'))
    if (failures.length === 0) passed++
  }
  process.stdout.write(
    `${passed} of the ${suite.apply.length} scenarios of ${suite.revision} that apply passed.\n`,
  )
  for (const [why, pattern] of Object.entries(doNotApply))
    process.stdout.write(
      `  Do not apply (${why}): ${others.filter((name) => pattern.test(name)).join(', ')}\n`,
    )
  return passed === suite.apply.length
}

async function main(): Promise<number> {
  const service = await startService()
  const proxy = await withCredential(service.origin, service.token)
  try {
    const client = makeClient(service.base, service.token)
    const { id } = await client.post<Workspace>('/workspaces', { name: 'Conformance' })
    const { id: job } = await client.upload(id, [
      { name: 'note.md', bytes: '# A note\n\nThe tide is high.\n' },
    ])
    await client.done(job)
    const url = `http://localhost:${(proxy.address() as AddressInfo).port}/v1/mcp`
    let good = true
    for (const suite of suites) good = (await runSuite(suite, url)) && good
    return good ? 0 : 1
  } finally {
    proxy.close()
    proxy.closeAllConnections()
    await service.remove()
  }
}

process.exitCode = await main()
