// The command line against a running service: what each command prints, its JSON by the contract, and its exit code.

import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { buildProgram } from '../../src/cli/program.ts'
import { Key, NewKey } from '../../src/contract/account.ts'
import { WorkspaceImport } from '../../src/contract/archives.ts'
import { TextCheck } from '../../src/contract/checks.ts'
import { ThreadPage } from '../../src/contract/conversations.ts'
import { MovedDocuments } from '../../src/contract/moves.ts'
import * as people from '../../src/contract/people.ts'
import * as contract from '../../src/contract/resources.ts'
import { TrashedDocumentPage, TrashedDocuments, TrashedWorkspaces } from '../../src/contract/trash.ts'
import { allowInBrowser } from '../support/browser.ts'
import { type Client, makeClient } from '../support/client.ts'
import { migratedDirectory } from '../support/database.ts'
import { FULL } from '../support/full.ts'
import { type Ended, type Home, makeHome, type RunOptions } from '../support/kenning.ts'
import { freePort } from '../support/service.ts'
import { type SharedService, sharedService } from '../support/shared-service.ts'

let service: SharedService
let token = ''
let client: Client
let home: Home
let library: contract.Workspace

const kenning = (...args: string[]): Promise<Ended> => home.kenning(args)

/** Commands whose `--json` was checked against a schema. */
const checked = new Set<string>()
const never = (): never => {
  throw new Error('nothing runs here')
}
const program = buildProgram({ version: '', streams: process, open: never })
/** Every command by its words, such as `workspaces create`. */
const commands = new Map(
  program.commands.flatMap((command) => [
    [command.name(), command] as const,
    ...command.commands.map((sub): [string, Command] => [`${command.name()} ${sub.name()}`, sub]),
  ]),
)

/** The objects that it printed, one a line, checked against their schema in the contract. */
function objects<Schema extends z.ZodType>(
  schema: Schema,
  [first = '', second = '']: readonly string[],
  { code, stdout, stderr }: Ended,
): z.output<Schema>[] {
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' })
  checked.add(commands.has(`${first} ${second}`) ? `${first} ${second}` : first)
  return stdout
    .trim()
    .split('\n')
    .map((line) => schema.parse(JSON.parse(line)))
}

/** The one object that it printed. */
async function json<Schema extends z.ZodType>(schema: Schema, ...args: string[]): Promise<z.output<Schema>> {
  const [object, ...others] = objects(schema, args, await home.kenning([...args, '--json']))
  expect(others).toEqual([])
  return object as z.output<Schema>
}

beforeAll(async () => {
  service = await sharedService()
  token = await service.token()
  client = makeClient(service.base, service.token)
  home = makeHome(() => ({ KENNING_SERVER: service.origin, KENNING_TOKEN: token }))
  library = await client.post<contract.Workspace>('/workspaces', { name: 'Library' })
  const names = ['lease-ropewalk-yard.pdf', 'lease-amendment-1.docx', 'suppliers.csv', 'staff-handbook.md']
  const files = names.map((name) => ({ name, bytes: readFileSync(`examples/${name}`) }))
  await client.done((await client.upload(library.id, files)).id)
})
afterAll(async () => {
  home?.remove()
  service?.leave()
})

describe('help', () => {
  test('alone, and with --help, it lists the commands', async () => {
    const [alone, asked] = await Promise.all([kenning(), kenning('--help')])
    expect(alone).toEqual(asked)
    expect(asked).toMatchObject({ code: 0, stderr: '' })
    for (const name of ['ask', 'search', 'login', 'workspaces', 'serve', 'doctor'])
      expect(asked.stdout).toMatch(new RegExp(`^  ${name} `, 'm'))
  })

  test('each command has a help of its own', async () => {
    for (const name of ['ask', 'search', 'workspaces', 'eval', 'read', 'doctor', 'serve']) {
      const { code, stdout } = await kenning(name, '--help')
      expect([name, code]).toEqual([name, 0])
      expect(stdout).toContain(`kenning ${name}`)
    }
  })

  test('every command that help lists is run by a test, on the installed package', () => {
    const sources = readdirSync('test/e2e').map((name) => readFileSync(join('test/e2e', name), 'utf8'))
    const text = sources.join('').replace(/\s+/g, ' ')
    const isRun = (words: string): boolean => text.includes(`'${words.replace(' ', "', '")}'`)
    expect([...commands.keys()].filter((words) => !isRun(words))).toEqual([])
  })

  test('wrong use is 2, with what was probably meant', async () => {
    expect(await kenning('serach', 'notice')).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('Did you mean search?'),
    })
    expect(await kenning('search')).toMatchObject({ code: 2, stdout: '' })
    expect(await kenning('search', 'notice', '--limti', '3')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--limit'),
    })
    expect(await kenning('search', 'notice', '-n', 'many')).toMatchObject({ code: 2 })
  })

  test('distribute is for a server with Citus', async () => {
    expect(await kenning('distribute')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('set DATABASE_URL to a PostgreSQL with Citus'),
    })
  })

  test('the version', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
    expect((await kenning('--version')).stdout).toBe(`${version}\n`)
    expect((await kenning('version')).stdout).toBe(`${version}\n`)
  })
})

describe('who and where', () => {
  test('without a sign-in and without a token: 3, and what to do', async () => {
    const bare = makeHome()
    onTestFinished(() => bare.remove())
    expect(await bare.kenning(['whoami'])).toMatchObject({
      code: 3,
      stdout: '',
      stderr: expect.stringContaining('kenning login'),
    })
    const refused = await home.kenning(['whoami', '--json'], { env: { KENNING_TOKEN: 'ken_at_wrong' } })
    expect(refused.code).toBe(3)
    expect(contract.ErrorBody.parse(JSON.parse(refused.stderr)).error.type).toBe('unauthorized')
  })

  test('nobody at the address', async () => {
    const { code, stderr } = await kenning('whoami', '--server', `http://127.0.0.1:${await freePort()}`)
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(
        /^The service at http:\/\/127\.0\.0\.1:\d+ cannot be reached.* Is Kenning running there\? Start it: kenning serve\n.*--server URL/,
      ),
    ])
    const elsewhere = await kenning('whoami', '--json', '--server', 'http://kenning.invalid')
    expect(elsewhere.code).toBe(1)
    expect(contract.ErrorBody.parse(JSON.parse(elsewhere.stderr)).error).toMatchObject({
      type: 'unreachable',
      message: expect.stringContaining('kenning doctor --public http://kenning.invalid'),
    })
    expect(await kenning('whoami', '--server', 'http://x/?y')).toMatchObject({ code: 2 })
  })

  test('whoami', async () => {
    expect(await json(contract.Me, 'whoami')).toMatchObject({ auth: 'session', email: service.account.email })
    expect((await kenning('whoami')).stdout).toContain(`${service.account.email} at ${service.origin}`)
  })

  test('workspaces are listed, created, renamed and deleted', async () => {
    const made = await json(
      contract.Workspace,
      'workspaces',
      'create',
      'Minutes',
      '--description',
      'of the board',
    )
    expect(made).toMatchObject({ name: 'Minutes', description: 'of the board' })
    const { data } = await json(contract.WorkspacePage, 'workspaces')
    expect(data.map(({ name }) => name).sort()).toEqual(['Library', 'Minutes'])
    expect((await kenning('workspaces')).stdout).toMatch(/^Library +4 +\w+ +[0-9a-f-]{36}$/m)
    expect(await json(contract.Workspace, 'workspaces', 'rename', 'minutes', 'Old minutes')).toMatchObject({
      id: made.id,
    })
    expect(await kenning('workspaces', 'delete', 'Old minutes')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--yes'),
    })
    expect(await kenning('workspaces', 'delete', 'Old minutes', '--yes')).toMatchObject({ code: 0 })
    expect(await kenning('workspaces', 'delete', 'Old minutes', '--yes')).toMatchObject({ code: 4 })
  })
})

describe('login', () => {
  /** `kenning login` with a person who opens the printed address; `bring` is how the answer comes back. */
  async function signIn(other: Home, bring: 'browser' | 'pasted', ...more: string[]): Promise<Ended> {
    let asked = false
    const onStderr: RunOptions['onStderr'] = (text, child) => {
      const [address] = /http:\S+\/oauth\/authorize\?\S+/.exec(text) ?? []
      if (asked || !address || !text.includes('press Enter')) return
      asked = true
      void allowInBrowser(new URL(address), service.account).then(async (back) => {
        if (bring === 'browser') await fetch(back)
        else child.write(`${back.href}\n`)
      })
    }
    return other.kenning(['login', service.origin, '--no-browser', '--json', ...more], { onStderr })
  }

  test('by a browser of this machine, then logout: the file is private, and the tokens are revoked', async () => {
    const other = makeHome()
    onTestFinished(() => other.remove())
    const ended = await signIn(other, 'browser')
    expect(ended.code, ended.stderr).toBe(0)
    expect(objects(contract.Me, ['login'], ended)).toMatchObject([
      { auth: 'oauth', email: service.account.email },
    ])
    const file = join(other.folder, '.config/kenning/login.json')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(statSync(join(file, '..')).mode & 0o777).toBe(0o700)
    expect(await other.kenning(['workspaces'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Library'),
    })
    const printed = await other.kenning(['token'])
    const headers = { authorization: `Bearer ${printed.stdout.trim()}` }
    expect((await fetch(`${service.base}/me`, { headers })).status, printed.stderr).toBe(200)
    const { refresh_token, client_id } = JSON.parse(readFileSync(file, 'utf8')).servers[service.origin]
    expect(await other.kenning(['logout'])).toMatchObject({ code: 0 })
    expect(() => statSync(file)).toThrow('ENOENT')
    const again = await fetch(`${service.origin}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token, client_id }),
    })
    expect(again.status).toBe(400)
    expect(await other.kenning(['whoami'])).toMatchObject({ code: 3 })
  })

  test('by a browser elsewhere: its address is pasted; an ended token is renewed', async () => {
    const other = makeHome()
    onTestFinished(() => other.remove())
    expect(await signIn(other, 'pasted', '--read-only')).toMatchObject({ code: 0 })
    const file = join(other.folder, '.config/kenning/login.json')
    const profile = JSON.parse(readFileSync(file, 'utf8'))
    const before = profile.servers[service.origin]
    expect(before).toMatchObject({ email: service.account.email })
    // As an hour later, and as after its revocation by somebody else.
    for (const change of [{ expires_at: 0 }, { access_token: 'ken_at_gone' }]) {
      const stored = JSON.parse(readFileSync(file, 'utf8')).servers[service.origin]
      writeFileSync(
        file,
        JSON.stringify({ current: service.origin, servers: { [service.origin]: { ...stored, ...change } } }),
      )
      expect(await other.kenning(['whoami'])).toMatchObject({
        code: 0,
        stdout: expect.stringContaining('read only'),
      })
      expect(JSON.parse(readFileSync(file, 'utf8')).servers[service.origin].refresh_token).not.toBe(
        stored.refresh_token,
      )
    }
    expect(await other.kenning(['workspaces', 'create', 'X'])).toMatchObject({ code: 1 })
  })
})

describe('search and ask', () => {
  test('search', async () => {
    const found = await json(contract.SearchResults, 'search', 'notice', 'period', '-n', '3')
    expect(found.query).toBe('notice period')
    expect(found.data).toHaveLength(3)
    const scoped = await json(contract.SearchResults, 'search', 'notice', '--scope', 'kind:pdf')
    expect(new Set(scoped.data.map((one) => one.document_title))).toEqual(
      new Set(['Lease of Unit 4, Ropewalk Yard']),
    )
    const { stdout } = await kenning('search', 'notice period')
    expect(stdout).toMatch(/^1\. .+\n {3}/)
    expect(stdout).not.toContain('\u001b')
    const painted = await home.kenning(['search', 'notice'], { env: { FORCE_COLOR: '1' } })
    expect(painted.stdout).toContain('\u001b[1m')
    const plain = await home.kenning(['search', 'notice'], { env: { FORCE_COLOR: '1', NO_COLOR: '1' } })
    expect(plain.stdout).not.toContain('\u001b')
  })

  test('nothing found is 4, and so is another workspace', async () => {
    expect(await kenning('search', 'xyzzyx', '--scope', 'folder:none')).toMatchObject({ code: 4, stdout: '' })
    const { code, stderr } = await kenning('search', 'notice', '-w', 'Labrary')
    expect([code, stderr]).toEqual([4, expect.stringContaining('Library')])
  })

  test('several workspaces: one has to be named, by name or id', async () => {
    const other = await client.post<contract.Workspace>('/workspaces', { name: 'Other' })
    onTestFinished(async () => void (await client.call('DELETE', `/workspaces/${other.id}`)))
    expect(await kenning('search', 'notice')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(other.id),
    })
    expect(await kenning('search', 'notice', '-w', 'library')).toMatchObject({ code: 0 })
    expect(await kenning('search', 'notice', '-w', library.id)).toMatchObject({ code: 0 })
  })

  test('several workspaces: a conversation says which one', async () => {
    const other = await client.post<contract.Workspace>('/workspaces', { name: 'Other' })
    onTestFinished(async () => void (await client.call('DELETE', `/workspaces/${other.id}`)))
    const first = await json(contract.Answer, 'ask', '-w', 'library', 'Who is the tenant?')
    const last = await json(contract.Answer, 'ask', '-w', other.id, 'Who is the tenant?')
    const exported = await kenning('threads', 'export', first.thread_id)
    expect(exported).toMatchObject({ code: 0, stdout: expect.stringContaining('Who is the tenant?') })
    const goOn = async (...args: string[]) =>
      (await json(contract.Answer, 'ask', ...args, 'Since when?')).thread_id
    expect(await goOn('--continue')).toBe(last.thread_id)
    expect(await goOn('--thread', first.thread_id)).toBe(first.thread_id)
    expect(await goOn('--continue')).toBe(first.thread_id)
    expect(await goOn('--continue', '-w', other.id)).toBe(last.thread_id)
    const absent = '3f2504e0-4f89-41d3-9a0c-0305e82c3301'
    for (const args of [
      ['threads', 'export', absent],
      ['ask', '--thread', absent, 'Since when?'],
    ])
      expect(await kenning(...args)).toMatchObject({ code: 4, stderr: expect.stringContaining(absent) })
  })

  test('ask, and go on', async () => {
    const question = 'How many months’ written notice end the lease of Unit 4, Ropewalk Yard?'
    const answer = await json(contract.Answer, 'ask', question)
    expect(answer.answer).toContain('[1]')
    const { stdout, stderr } = await kenning('ask', question)
    expect(stdout).toMatch(/\[1\][\s\S]+\nSources\n\[1\] .+\n {4}\S/)
    expect(stderr).toBe('')
    const next = await json(contract.Answer, 'ask', '--thread', answer.thread_id, 'And who is the tenant?')
    expect(next.thread_id).toBe(answer.thread_id)
    expect((await json(contract.Answer, 'ask', '--continue', 'And who is the landlord?')).thread_id).toBe(
      answer.thread_id,
    )
    const [thread] = (await json(ThreadPage, 'threads')).data
    expect(thread?.id).toBe(answer.thread_id)
    const exported = await kenning('threads', 'export', answer.thread_id)
    expect(exported.stdout).toMatch(/^# [\s\S]+\n## And who is the tenant\?[\s\S]+\nSources:\n\n1\. \[/)
    const file = join(home.folder, 'lease.docx')
    expect(await kenning('threads', 'export', answer.thread_id, file)).toMatchObject({ code: 0 })
    expect(readFileSync(file).subarray(0, 2).toString()).toBe('PK')
    expect(await kenning('threads', 'export', answer.thread_id, file)).toMatchObject({ code: 2 })
    expect(await kenning('threads', 'export', answer.thread_id, 'lease.pdf')).toMatchObject({ code: 2 })
    expect(await kenning('ask')).toMatchObject({ code: 2 })
    expect(await kenning('ask', '--thread', '3f2504e0-4f89-41d3-9a0c-0305e82c3301', question)).toMatchObject({
      code: 4,
    })
  })
})

test('a text is checked sentence by sentence, from a file', async () => {
  const file = join(home.folder, 'draft.md')
  writeFileSync(file, 'Six months’ written notice end the lease of Unit 4. The tenant keeps bees.\n')
  const result = await json(TextCheck, 'check', file, '-w', 'library')
  expect(result.data).toHaveLength(2)
  expect((await kenning('check', file, '-w', 'library')).stdout).toMatch(
    /\d supported, \d contradicted, \d not found/,
  )
  writeFileSync(file, 'Why?')
  expect(await kenning('check', file, '-w', 'library')).toMatchObject({ code: 0, stdout: '' })
  writeFileSync(file, 'PK\u0003\u0004\0\0')
  expect(await kenning('check', file, '-w', 'library')).toMatchObject({ code: 2 })
  expect(await kenning('check', join(home.folder, 'nothing.md'), '-w', 'library')).toMatchObject({ code: 4 })
})

test('a folder is asked without a service: read once, then answered from its library', async () => {
  const alone = makeHome()
  onTestFinished(() => alone.remove())
  const folder = join(alone.folder, 'papers')
  mkdirSync(folder)
  // Its library begins with a database that is made and migrated.
  const library = createHash('sha256').update(folder).digest('hex').slice(0, 32)
  const made = await migratedDirectory()
  mkdirSync(join(alone.folder, '.cache/kenning/libraries', library), { recursive: true, mode: 0o700 })
  renameSync(made, join(alone.folder, '.cache/kenning/libraries', library, 'data'))
  const put = (name: string, text: string): void => writeFileSync(join(folder, name), text)
  put('gate.md', '# The gate\n\nThe key of the north gate lies under the third stone.\n')
  const ask = (question: string, ...more: string[]): Promise<Ended> =>
    alone.kenning(['ask', folder, question, ...more])
  const first = await ask('Where is the key of the north gate?')
  expect(first).toMatchObject({ code: 0, stdout: expect.stringContaining('third stone') })
  expect(first.stderr).toContain('for the first time')
  const second = await ask('Where is the key of the north gate?', '--json')
  // A slow start says what it does.
  expect(second).toMatchObject({ code: 0, stderr: expect.not.stringContaining('for the first time') })
  expect(contract.Answer.parse(JSON.parse(second.stdout)).citations).toHaveLength(1)
  // It starts a service again.
  if (FULL) {
    put('gate.md', '# The gate\n\nThe key of the north gate hangs behind the clock.\n')
    const third = await ask('Where is the key of the north gate?')
    expect(third).toMatchObject({ code: 0, stdout: expect.stringContaining('behind the clock') })
    expect(third.stdout).not.toContain('third stone')
  }
  expect(await alone.kenning(['ask', join(alone.folder, 'nothing'), 'What?'])).toMatchObject({ code: 4 })
  expect(await ask('What?', '--workspace', 'Library')).toMatchObject({ code: 2 })
})

describe('documents', () => {
  let boxes: contract.Workspace
  beforeAll(async () => {
    boxes = await client.post<contract.Workspace>('/workspaces', { name: 'Boxes' })
    const folder = join(home.folder, 'in')
    mkdirSync(join(folder, 'contracts/old'), { recursive: true })
    cpSync('examples/lease-amendment-1.docx', join(folder, 'contracts/amendment.docx'))
    writeFileSync(
      join(folder, 'contracts/old/note.md'),
      '# A note\n\nThe gate key lies under the third stone.\n',
    )
    writeFileSync(join(folder, 'contracts/.secret.md'), 'hidden')
    writeFileSync(join(folder, 'contracts/film.mp4'), 'no text')
    writeFileSync(
      join(folder, 'broken.pdf'),
      Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(500, 7)]),
    )
    // Neither its name nor its bytes tell what it is.
    writeFileSync(
      join(folder, 'strange.xyz'),
      Buffer.from(Array.from({ length: 4000 }, (_, at) => (at * 97) % 256)),
    )
  })
  // The other tests have one workspace.
  afterAll(async () => void (await client.call('DELETE', `/workspaces/${boxes.id}`)))
  const inside = (...args: string[]): Promise<Ended> => home.kenning(args, { cwd: join(home.folder, 'in') })
  const lines = (ended: Ended): unknown[] =>
    ended.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))

  test('a folder keeps its folders; hidden and unreadable files are left out', async () => {
    const ended = await inside('upload', 'contracts', '-w', 'Boxes', '--json')
    expect(ended.code, ended.stderr).toBe(0)
    const [job] = objects(contract.Job, ['upload'], ended)
    expect(job?.files.map(({ filename, status }) => [filename, status])).toEqual([
      ['contracts/amendment.docx', 'done'],
      ['contracts/old/note.md', 'done'],
    ])
    expect(ended.stderr).toContain('film.mp4')
    const again = await inside('upload', 'contracts', '-w', 'Boxes')
    expect(again).toMatchObject({ code: 0, stdout: '2 files can be found in “Boxes”: 2 already there.\n' })
  })

  test('patterns, a folder to put them in, standard input', async () => {
    const ended = await inside(
      'upload',
      'contracts/**/*.md',
      '--into',
      'Copies',
      '-w',
      'Boxes',
      '--no-wait',
      '--json',
    )
    expect(lines(ended)).toMatchObject([{ files: [{ filename: 'Copies/contracts/old/note.md' }] }])
    const args = ['upload', '-', '--name', 'piped.txt', '-w', 'Piped', '--create']
    const piped = await home.kenning(args, { input: 'The harbour office opens at six.\n' })
    expect(piped).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('1 file can be found in “Piped”: 1 new'),
    })
    expect((await kenning('search', 'harbour office', '-w', 'Piped')).stdout).toContain('opens at six')
    expect(await kenning('workspaces', 'trash', 'Piped')).toMatchObject({ code: 0 })
    expect(await kenning('search', 'harbour office', '-w', 'Piped')).toMatchObject({ code: 4 })
    const inTrash = await json(TrashedWorkspaces, 'trash', 'workspaces')
    expect(inTrash.data.map(({ name }) => name)).toEqual(['Piped'])
    expect((await json(contract.Workspace, 'workspaces', 'restore', 'Piped')).name).toBe('Piped')
    expect(await kenning('workspaces', 'delete', 'Piped', '--yes')).toMatchObject({ code: 0 })
  })

  test('what cannot be read is said, file by file; the others are uploaded', async () => {
    const ended = await inside('upload', 'strange.xyz', 'broken.pdf', 'contracts/old', '-w', 'Boxes')
    expect(ended.code).toBe(1)
    expect(ended.stdout).toContain('1 file can be found')
    expect(ended.stderr).toMatch(/^strange\.xyz: This kind of file cannot be read/m)
    expect(ended.stderr).toMatch(/^broken\.pdf: \S/m)
    expect(ended.stderr).toMatch(/2 of 3 files were not read/)
  })

  test('wrong places', async () => {
    expect(await inside('upload', 'nowhere', '-w', 'Boxes')).toMatchObject({ code: 4 })
    expect(await inside('upload', '*.none', '-w', 'Boxes')).toMatchObject({ code: 4 })
    expect(await inside('upload', 'contracts', '-w', 'Nowhere')).toMatchObject({ code: 4 })
    expect(await inside('upload', 'contracts', '-w', 'Boxes', '--on-conflict', 'mix')).toMatchObject({
      code: 2,
    })
    expect(await inside('upload', '-', '-w', 'Boxes')).toMatchObject({ code: 2 })
  })

  test('jobs, and one of them', async () => {
    const page = await json(contract.JobPage, 'jobs', '-w', 'Boxes')
    expect(page.data.length).toBeGreaterThan(3)
    const [newest] = page.data
    const one = await json(contract.JobProgress, 'jobs', newest?.id ?? '')
    expect(one.files.map(({ filename }) => filename)).toContain('broken.pdf')
    expect((await kenning('jobs', newest?.id ?? '', '--watch')).code).toBe(1)
    expect((await kenning('jobs', '-w', 'Boxes')).stdout).toContain(newest?.id)
    expect(await kenning('jobs', newest?.id ?? '', '--cancel')).toMatchObject({ code: 0 })
    expect(await kenning('jobs', 'f'.repeat(32))).toMatchObject({ code: 4 })
  })

  test('documents are listed, read, downloaded and deleted', async () => {
    const { data } = await json(contract.DocumentPage, 'documents', 'note', '-w', 'Boxes')
    expect(data.map(({ title }) => title)).toEqual(['A note'])
    expect((await kenning('documents', '-w', 'Boxes')).stdout).toContain(data[0]?.id)
    expect(await kenning('read', 'a note', '-w', 'Boxes')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('third stone'),
    })
    const content = await json(contract.DocumentContent, 'read', data[0]?.id ?? '', '-w', 'Boxes')
    expect(content.title).toBe('A note')
    const target = join(home.folder, 'out.md')
    expect(await kenning('documents', 'download', 'A note', '-o', target, '-w', 'Boxes')).toMatchObject({
      code: 0,
    })
    expect(readFileSync(target, 'utf8')).toContain('third stone')
    expect(await kenning('documents', 'download', 'A note', '-o', target, '-w', 'Boxes')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('already exists'),
    })
    expect(await kenning('documents', 'download', 'A note', '-w', 'Boxes')).toMatchObject({
      stdout: readFileSync(target, 'utf8'),
    })
    const moved = await json(MovedDocuments, 'documents', 'move', 'A note', '--to', 'Old', '-w', 'Boxes')
    expect(moved.data).toMatchObject([{ id: data[0]?.id, title: 'A note' }])
    const folder = ['--folder', 'Old', '--to', 'Archive/Old']
    expect((await kenning('documents', 'move', ...folder, '-w', 'Boxes')).stderr).toMatch(
      /Moved Old\/\S+ to Archive\/Old\/\S+\./,
    )
    expect(await kenning('documents', 'move', '--to', 'Old', '-w', 'Boxes')).toMatchObject({ code: 2 })
    const trashed = await json(TrashedDocuments, 'documents', 'trash', 'A note', '-w', 'Boxes')
    const inTrash = await json(TrashedDocumentPage, 'trash', '-w', 'Boxes')
    expect(inTrash.data).toEqual(trashed.data)
    expect((await kenning('trash', '-w', 'Boxes')).stdout).toContain('A note')
    expect(await kenning('documents', 'A note', '-w', 'Boxes')).toMatchObject({ code: 4 })
    expect(await kenning('trash', 'restore', 'Nothing', '-w', 'Boxes')).toMatchObject({ code: 4 })
    expect(await kenning('trash', 'delete', 'A note', '-w', 'Boxes')).toMatchObject({ code: 2 })
    await json(contract.Job, 'trash', 'restore', 'A note', '-w', 'Boxes')
    expect(await kenning('documents', 'A note', '-w', 'Boxes')).toMatchObject({ code: 0 })
    expect(await kenning('documents', 'delete', 'A note', '-w', 'Boxes')).toMatchObject({ code: 2 })
    expect(await kenning('documents', 'delete', 'A note', '-w', 'Boxes', '--yes')).toMatchObject({ code: 0 })
    expect(await kenning('read', 'A note', '-w', 'Boxes')).toMatchObject({ code: 4 })
  })

  test('the graph and its themes', async () => {
    await client.ready(library.id)
    const themes = await json(contract.Themes, 'themes', '-w', 'Library')
    const [first] = themes.top_entities
    expect((await kenning('themes', '-w', 'Library')).stdout).toContain(first?.name)
    const entities = await json(contract.EntityPage, 'graph', '-w', 'Library', '-n', '5')
    expect(entities.data).toHaveLength(5)
    const around = await json(contract.EntityNeighborhood, 'graph', 'Brightwater Sensors', '-w', 'Library')
    expect(around.entity.name).toContain('Brightwater')
    expect((await kenning('graph', around.entity.id, '-w', 'Library')).stdout).toContain('Brightwater')
    expect(await kenning('graph', '--to', 'Kiel', '-w', 'Library')).toMatchObject({ code: 2 })
    const paths = await json(
      contract.EntityPaths,
      'graph',
      'Brightwater Sensors',
      '--to',
      'Kiel',
      '-w',
      'Library',
    )
    expect(paths.to.name).toBe('Kiel')
    const evidence = await json(
      contract.EvidencePage,
      'graph',
      around.entity.id,
      '--evidence',
      '-w',
      'Library',
    )
    expect(evidence.data[0]?.text).toContain('Brightwater')
    expect(await kenning('graph', 'Xyzzyx Incorporated', '-w', 'Library')).toMatchObject({ code: 4 })
  })
})

test('a workspace is exported into one file, and imported as a copy', async () => {
  const file = join(home.folder, 'library.zip')
  const written = await kenning('export', 'Library', file)
  expect(written).toMatchObject({ code: 0, stdout: expect.stringContaining('Wrote “Library”') })
  const Written = z.strictObject({ file: z.string(), bytes: z.int(), workspace_id: z.uuid() })
  const second = `${file}.second`
  expect(await json(Written, 'export', 'Library', second)).toMatchObject({ bytes: statSync(file).size })
  expect(await kenning('export', 'Library', file)).toMatchObject({ code: 2 })
  expect(await kenning('import', file)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('--new-ids'),
  })
  const made = await json(WorkspaceImport, 'import', file, '--new-ids', '--name', 'A copy')
  const of = (workspace: string) => json(contract.DocumentPage, 'documents', '--workspace', workspace)
  const titles = async (workspace: string) =>
    (await of(workspace)).data.map((one) => [one.title, one.chunk_count])
  expect(await titles('A copy')).toEqual(await titles('Library'))
  expect(made).toMatchObject({ documents: (await of('Library')).data.length })
  await kenning('workspaces', 'delete', 'A copy', '--yes')
  writeFileSync(file, 'no archive')
  expect(await kenning('import', file, '--new-ids')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('no zip archive'),
  })
  expect(await kenning('import', join(home.folder, 'absent.zip'))).toMatchObject({ code: 4 })
})

describe('people, keys and tools', () => {
  test('members are listed, added and removed', async () => {
    const one = ['-w', library.id]
    expect((await json(people.MemberPage, 'members', ...one)).data).toMatchObject([
      { email: service.account.email, role: 'owner' },
    ])
    expect(await kenning('members', 'set', 'nobody@example.org', 'viewer', ...one)).toMatchObject({ code: 4 })
    expect(await kenning('members', 'set', service.account.email, 'king', ...one)).toMatchObject({ code: 2 })
    expect((await json(people.Member, 'members', 'set', service.account.email, 'owner', ...one)).role).toBe(
      'owner',
    )
    expect(await kenning('members', 'remove', 'nobody@example.org', ...one)).toMatchObject({ code: 4 })
  })

  test('keys are made with the password, read, and are revoked', async () => {
    const password = { input: `${service.account.password}\n` }
    const asked = ['--email', service.account.email, '--password-stdin']
    const made = await home.kenning(['keys', 'create', 'reader', '-w', 'Library', ...asked], password)
    expect(made.code, made.stderr).toBe(0)
    const key = made.stdout.trim()
    const searched = await home.kenning(['search', 'notice'], { env: { KENNING_TOKEN: key } })
    expect(searched.code).toBe(0)
    expect(await home.kenning(['workspaces', 'create', 'X'], { env: { KENNING_TOKEN: key } })).toMatchObject({
      code: 1,
    })
    expect((await home.kenning(['keys', ...asked], password)).stdout).toMatch(/^reader +…/m)
    const create = ['keys', 'create', 'log', '-w', 'Library', '--expires', '2099-12-31', '--json', ...asked]
    const [log] = objects(NewKey, create, await home.kenning(create, password))
    expect(log).toMatchObject({ name: 'log', workspace_ids: [library.id] })
    const list = ['keys', '--json', ...asked]
    const Keys = z.strictObject({ data: z.array(Key) })
    const [page] = objects(Keys, list, await home.kenning(list, password))
    expect(page?.data.map(({ name }) => name).sort()).toEqual(['log', 'reader'])
    for (const name of ['reader', 'log'])
      expect(await home.kenning(['keys', 'revoke', name, '--json', ...asked], password)).toMatchObject({
        code: 0,
        stdout: '',
      })
    expect((await home.kenning(['search', 'notice'], { env: { KENNING_TOKEN: key } })).code).toBe(3)
    // Nobody has signed in here, so the workspace is looked for with the password too.
    const bare = makeHome()
    const bareAsked = ['--server', service.origin, ...asked]
    const bareKey = await bare.kenning(['keys', 'create', 'bare', '-w', 'Library', ...bareAsked], password)
    expect(bareKey, bareKey.stderr).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\S{20,}\n$/) })
    expect((await bare.kenning(['keys', 'revoke', 'bare', ...bareAsked], password)).code).toBe(0)
    expect(await home.kenning(['keys', ...asked], { input: 'wrong' })).toMatchObject({
      code: 3,
      stderr: expect.stringContaining(`make keys at ${service.origin}/keys`),
    })
    expect(await kenning('keys', '--email', service.account.email)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--password-stdin'),
    })
  })

  test('connect shows the change, and writes it when told to', async () => {
    const file = join(home.folder, '.cursor/mcp.json')
    const dry = await kenning('connect', 'cursor', '--dry-run')
    expect(dry).toMatchObject({ code: 0, stdout: '', stderr: expect.stringContaining('+ ') })
    expect(() => statSync(file)).toThrow('ENOENT')
    expect(await kenning('connect', 'cursor')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--yes'),
    })
    const url = `${service.origin}/v1/mcp`
    const Connected = z.strictObject({
      host: z.string(),
      path: z.string(),
      url: z.string(),
      changed: z.boolean(),
    })
    expect(objects(Connected, ['connect'], await kenning('connect', 'cursor', '--yes', '--json'))).toEqual([
      { host: 'cursor', path: file, url, changed: true },
    ])
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      mcpServers: { kenning: { url } },
    })
    expect((await kenning('connect', 'cursor', '--yes')).stdout).toContain('already knows')
    // An assistant that starts a program: other entries stay, and the file is kept as it was.
    const zed = join(home.folder, '.config/zed/settings.json')
    const before = '{\n  // mine\n  "theme": "One"\n}\n'
    mkdirSync(join(zed, '..'), { recursive: true })
    writeFileSync(zed, before)
    const printed = await kenning('connect', 'zed', '--print')
    expect([printed.code, readFileSync(zed, 'utf8')]).toEqual([0, before])
    const { command, args } = JSON.parse(printed.stdout).context_servers.kenning
    expect([command, args.slice(1)]).toEqual([process.execPath, ['mcp', '--server', service.origin]])
    expect(await kenning('connect', 'zed', '--yes')).toMatchObject({
      code: 0,
      stderr: expect.stringContaining(`kenning login ${service.origin}`),
    })
    expect(readFileSync(zed, 'utf8')).toContain('// mine')
    expect(readFileSync(`${zed}.before-kenning`, 'utf8')).toBe(before)
    const local = await kenning('connect', 'claude-desktop', '--print', '--folder', home.folder)
    expect(JSON.parse(local.stdout).mcpServers.kenning.args.slice(1)).toEqual([
      'mcp',
      realpathSync(home.folder),
    ])
    expect(await kenning('connect', 'cursor', '--folder', home.folder)).toMatchObject({ code: 2 })
    expect(await kenning('connect', 'zed', '--folder', join(home.folder, 'nothing'))).toMatchObject({
      code: 4,
    })
    // For everybody who works in the folder: no path of this machine.
    const shared = await kenning('connect', 'zed', '--project', '--print')
    expect(JSON.parse(shared.stdout).context_servers.kenning).toMatchObject({
      command: 'kenning',
      args: ['mcp', '--server', service.origin],
    })
    const ownFolder = ['connect', 'zed', '--project', '--folder', home.folder]
    expect(await kenning(...ownFolder)).toMatchObject({ code: 2 })
    expect(await kenning('connect', 'emacs')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('claude-code'),
    })
  })

  test('completion: a shell completes commands and options', async () => {
    const { stdout: script } = await kenning('completion', 'bash')
    const complete = (...words: string[]): string[] => {
      const given = words.map((word) => `'${word}'`).join(' ')
      const line = `${script}\nCOMP_WORDS=(kenning ${given}); COMP_CWORD=${words.length}; _kenning; printf '%s\\n' "\${COMPREPLY[@]}"`
      return execFileSync('bash', ['-c', line], { encoding: 'utf8' }).split('\n').filter(Boolean)
    }
    expect(complete('wo')).toEqual(['workspaces'])
    expect(complete('workspaces', 'cr')).toEqual(['create'])
    expect(complete('search', 'notice', '--sc')).toEqual(['--scope'])
    expect(complete('connect', 'cu')).toEqual(['cursor'])
    for (const shell of ['zsh', 'fish'])
      expect((await kenning('completion', shell)).stdout).toContain('workspaces')
  })
})

test('--json of every command was checked against the contract', () => {
  // A file, or nothing at all; errors are the API's.
  const withoutObject = [
    'workspaces delete',
    'workspaces trash',
    'trash delete',
    'documents download',
    'documents delete',
    'threads export',
    'members remove',
    'keys revoke',
    'models clear',
  ]
  // What a sync did is no object of the API: test/e2e/sync.test.ts. Of administrators: test/e2e/models.test.ts, administration.test.ts.
  const elsewhere = [
    'sync',
    'models',
    'models list',
    'models set',
    'models try',
    'models budget',
    'spending',
    'spending limit',
    'spending price',
    'health',
    'health failed',
    'health backups',
    'health backup',
  ]
  const able = [...commands].flatMap(([words, { options }]) =>
    options.some(({ long }) => long === '--json') ? words : [],
  )
  expect(able.length).toBeGreaterThan(20)
  expect([...checked, ...withoutObject, ...elsewhere].sort()).toEqual(able.sort())
})
