// `kenning eval` from the outside: the built command, with a temporary service and with a running one.

import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Document, Page, Workspace } from '../../src/contract/resources.ts'
import type { RunFile } from '../../src/eval/report/run-file.ts'
import { makeClient } from '../support/client.ts'
import { FULL } from '../support/full.ts'
import { installedMain } from '../support/installed.ts'
import { type SharedService, sharedService } from '../support/shared-service.ts'

const SET = 'test/data/small'
let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'kenning-eval-test-'))
  mkdirSync(join(folder, 'tmp'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Ended {
  code: number | null
  stdout: string
  stderr: string
}

/** Runs the command; `onStart` gets what presses Ctrl-C. */
function kenning(args: string[], onStart?: (interrupt: () => void) => void): Promise<Ended> {
  const child = spawn(process.execPath, [installedMain(), ...args], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, TMPDIR: join(folder, 'tmp') },
  })
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', (piece) => {
    stdout += piece
  })
  child.stderr.on('data', (piece) => {
    stderr += piece
  })
  onStart?.(() => child.kill('SIGINT'))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, stdout, stderr }))
  })
}

const readRun = (path: string): RunFile => JSON.parse(readFileSync(path, 'utf8')) as RunFile

test('an invalid set or command ends with 2 and a message, before anything is started', async () => {
  const wrong = join(folder, 'wrong')
  mkdirSync(wrong)
  for (const name of ['corpus.jsonl', 'queries.jsonl'])
    writeFileSync(join(wrong, name), readFileSync(join(SET, name)))
  writeFileSync(join(wrong, 'qrels.tsv'), 'q00\tp99\t1\n')
  const unknown = await kenning(['eval', wrong])
  expect(unknown).toMatchObject({ code: 2, stderr: 'qrels.tsv line 1: the set has no document "p99".\n' })
  const misused = await kenning(['eval', SET, '--limit', 'many'])
  expect(misused.code).toBe(2)
  expect(misused.stderr).toMatch(/--limit must be a whole number, 1 or more[\s\S]*kenning eval DIR/)
  const nowhere = await kenning(['eval', SET, '--out', join(wrong, 'qrels.tsv', 'below', 'a-file')])
  expect(nowhere).toMatchObject({ code: 2, stderr: expect.stringContaining('cannot be written') })
  expect((await kenning(['evaluate'])).code).toBe(2)
})

describe('on a running service', () => {
  let service: SharedService
  let tokenFile = ''
  const workspaces = async (): Promise<Workspace[]> =>
    (await makeClient(service.base, service.token).get<Page<Workspace>>('/workspaces')).data
  beforeAll(async () => {
    service = await sharedService()
    tokenFile = join(folder, 'token')
    writeFileSync(tokenFile, `${await service.token()}\n`)
  })
  afterAll(() => service?.leave())
  const on = (url = service.origin): string[] => ['--url', url, '--token-file', tokenFile]

  // A temporary one begins with an empty folder, which takes 10 s; `kenning ask FOLDER` starts one the same way.
  test.each(FULL ? ['a temporary', 'a running'] : ['a running'])(
    '%s service: metrics, a report, data, and nothing left behind',
    async (kind) => {
      const out = join(folder, 'own')
      const { code, stdout, stderr } = await kenning([
        'eval',
        SET,
        '--out',
        `${out}.html`,
        '--label',
        'first',
        ...(kind === 'a running' ? on() : []),
      ])
      // Of the bars none may be shown: on a fast machine all is done before it looks for the first time.
      expect(code, stderr).toBe(0)
      // Deep ranks come from a service of its own.
      const deep = kind === 'a temporary' ? ['recall@100'] : []
      for (const metric of ['nDCG@10', 'recall@5', 'recall@10', 'MRR@10', ...deep])
        expect(stdout).toMatch(new RegExp(`${metric} +[01]\\.\\d{3} +[01]\\.\\d{3} to [01]\\.\\d{3}`))
      const run = readRun(`${out}.json`)
      expect(run).toMatchObject({ set: 'small', label: 'first', documents: 30, unread: [], typos: 0 })
      expect(run.queries).toHaveLength(16)
      // The sample is easy on purpose: a service that finds less is broken, not merely worse.
      expect(run.metrics.find(({ metric }) => metric === 'nDCG@10')?.mean).toBeGreaterThan(0.9)
      expect(readFileSync(`${out}.html`, 'utf8')).toContain('Queries, worst first')
      expect(readdirSync(join(folder, 'tmp'))).toEqual([])
      expect(await workspaces()).toEqual([])
    },
  )

  test('a set with an unreadable file; compared with itself; its workspace is deleted afterwards', async () => {
    const set = join(folder, 'mine')
    mkdirSync(join(set, 'files', 'rules'), { recursive: true })
    for (const name of ['staff-handbook.md', 'suppliers.csv'])
      writeFileSync(join(set, 'files', 'rules', name), readFileSync(join('examples', name)))
    writeFileSync(join(set, 'files', 'broken.pdf'), '%PDF-1.7 and nothing more')
    const queries = ['How many days of leave do employees have?', 'BW-2210-10']
    const lines = queries.map((text, i) => JSON.stringify({ id: `q${i}`, text })).join('\n')
    writeFileSync(join(set, 'queries.jsonl'), lines)
    writeFileSync(join(set, 'qrels.tsv'), 'q0\trules/staff-handbook.md\t1\nq1\trules/suppliers.csv\t1\n')
    const out = join(folder, 'remote')
    const first = await kenning(['eval', set, ...on(), '--out', out])
    expect(first.stderr).not.toContain('cannot')
    expect(first).toMatchObject({ code: 0, stdout: expect.stringContaining('never found: 1 document') })
    const run = readRun(`${out}.json`)
    expect(run.unread.map(({ id }) => id)).toEqual(['broken.pdf'])
    expect(run.queries.map(({ ranked }) => ranked[0])).toEqual([
      'rules/staff-handbook.md',
      'rules/suppliers.csv',
    ])
    const again = await kenning(['eval', set, ...on(), '--out', `${out}-2`, '--compare', `${out}.json`])
    expect(again.stdout).toMatch(/nDCG@10 .* \+0\.000 .* 0 \/ 0 \/ 2/)
    expect(await workspaces()).toEqual([])
  })

  test('an existing workspace, by titles; it is not changed', async () => {
    const client = makeClient(service.base, service.token)
    const { id } = await client.post<Workspace>('/workspaces', { name: 'Mine' })
    const text = '# Harbour rules\n\nNobody may land on the northern shore in May.\n'
    await client.done((await client.upload(id, [{ name: 'rules.md', bytes: text }])).id)
    const set = join(folder, 'questions')
    mkdirSync(set)
    writeFileSync(join(set, 'queries.jsonl'), '{"id":"q","text":"When may nobody land?"}')
    writeFileSync(join(set, 'qrels.tsv'), 'q\tHarbour rules\t1\n')
    const args = ['eval', set, ...on(), '--workspace', id, '--out', join(folder, 'asked')]
    expect((await kenning(args)).code).toBe(0)
    expect(readRun(join(folder, 'asked.json')).queries[0]?.scores['nDCG@10']).toBe(1)
    const questions = [
      { id: 'q', text: 'When may nobody land on the northern shore?', answer: 'May' },
      { id: 'none', text: 'Who won the football championship in Kyoto?' },
    ]
    writeFileSync(join(set, 'queries.jsonl'), questions.map((line) => JSON.stringify(line)).join('\n'))
    const asked = await kenning([...args, '--ask'])
    expect(asked.code).toBe(0)
    for (const metric of ['answered', 'refused', 'answer in reply', 'answer cited', 'evidence recall'])
      expect(asked.stdout).toMatch(new RegExp(`${metric} +1\\.000 .* 1 `))
    expect(asked.stdout).toMatch(/citation precision +1\.000 .*\n.*citations hold +1\.000 .* 2 /)
    expect(asked.stdout).toMatch(/answer: p50 .*\nfirst step: p50 .*\ntokens: 0, no language model/)
    expect(readFileSync(join(folder, 'asked.html'), 'utf8')).toContain('tokens: 0, no language model')
    expect((await kenning([...args, '--ask', '--typos'])).code).toBe(2)
    writeFileSync(join(set, 'qrels.tsv'), 'q\tNo such title\t1\n')
    const unknown = await kenning(args)
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('"No such title"') })
    const [document] = (await client.get<Page<Document>>(`/workspaces/${id}/documents`)).data
    const saved = { query: 'When may nobody land?', document_id: document?.id }
    await client.post(`/workspaces/${id}/evaluation-questions`, saved)
    const exported = join(folder, 'evaluation-set.jsonl')
    const headers = { authorization: `Bearer ${await service.token()}` }
    const answer = await fetch(`${service.base}/workspaces/${id}/evaluation-set.jsonl`, { headers })
    writeFileSync(exported, await answer.text())
    const ofPeople = ['eval', exported, ...on(), '--workspace', id, '--out', join(folder, 'people')]
    expect((await kenning(ofPeople)).code).toBe(0)
    expect(readRun(join(folder, 'people.json'))).toMatchObject({
      set: 'evaluation-set',
      queries: [{ text: 'When may nobody land?', scores: { 'nDCG@10': 1 } }],
    })
    expect((await kenning([...ofPeople, '--ask'])).stdout).toMatch(/evidence recall +1\.000 .* 1 /)
    expect(await kenning(['eval', exported])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--workspace'),
    })
    expect((await workspaces()).map((workspace) => workspace.id)).toEqual([id])
    await client.call('DELETE', `/workspaces/${id}`)
  })

  test('when interrupted it deletes what it created', async () => {
    // Its searches get no answer, and the first interrupts it. Once: whoever asks again while it tidies up is heard at once.
    let interrupt = (): void => {}
    const held = createServer((asked, answer) => {
      if (asked.url?.endsWith('/search')) {
        interrupt()
        interrupt = () => {}
        return
      }
      const { method, headers } = asked
      const forwarded = request(new URL(asked.url ?? '/', service.origin), { method, headers }, (given) => {
        answer.writeHead(given.statusCode ?? 502, given.headers)
        given.pipe(answer)
      })
      asked.pipe(forwarded)
    })
    await new Promise<void>((resolve) => held.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(held.address() as AddressInfo).port}`
    const args = ['eval', SET, ...on(url), '--out', join(folder, 'half')]
    const { code } = await kenning(args, (press) => {
      interrupt = press
    })
    held.closeAllConnections()
    held.close()
    expect(code).toBe(130)
    expect(await workspaces()).toEqual([])
  })

  test('an invalid token is reported, and nothing else happens', async () => {
    const { code, stderr } = await kenning(['eval', SET, '--url', service.origin, '--token', 'ken_at_wrong'])
    expect(code).toBe(1)
    expect(stderr).toMatch(/answered 401.*--token/)
    expect(stderr).not.toContain('ken_at_wrong')
  })
})
