// "Check this text": 60 sentences over the example library, each with the verdict that a reader of the documents gives. Twenty were
// written before the rules and not looked at while these were made, twenty more before editions and periods were part of it. `--resume DIR` keeps the filled service.

import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TextVerdict } from '../src/contract/checks.ts'
import { openClient } from '../src/eval/target/client.ts'
import { siblingModule } from '../src/processes/module.ts'
import { startTemporary, type TemporaryService } from '../src/temporary.ts'
import { type BenchOptions, table } from './report.ts'

interface Labelled {
  text: string
  verdict: TextVerdict
}

type SetName = 'held_out' | 'looked_at' | 'editions'

const TITLES: Readonly<Record<SetName, string>> = {
  held_out: 'Half held out',
  looked_at: 'Half looked at',
  editions: 'Twenty more, written before editions were part of the check',
}

const SENTENCES = 'lab/checking/sentences.json'
const VERDICTS: readonly TextVerdict[] = ['supported', 'contradicted', 'not_found']
const POLL_MS = 500

export async function benchChecking({ resume, only }: BenchOptions): Promise<string> {
  const sets = JSON.parse(await readFile(SENTENCES, 'utf8')) as Record<SetName, Labelled[]>
  const folder = resume && join(resume, 'service-examples')
  const main = siblingModule('../src/main', import.meta.url)
  const service = await startTemporary(main, { settings: { KENNING_ASK_PER_HOUR: '1000000' }, folder })
  try {
    const workspaceId = await examplesIn(service, folder)
    const client = openClient(service.base, service.token)
    const parts: string[] = []
    const names: readonly SetName[] = only ? (only as SetName[]) : ['held_out', 'looked_at', 'editions']
    for (const name of names) {
      const began = performance.now()
      const sentences = sets[name]
      const text = sentences.map((sentence) => sentence.text).join('\n\n')
      const { data } = await client.checkText({ workspace_id: workspaceId, text })
      const ms = (performance.now() - began) / sentences.length
      if (data.length !== sentences.length) throw new Error(`${name}: ${data.length} sentences were checked`)
      const rows = sentences.map((sentence, i) => ({ ...sentence, given: data[i]?.verdict ?? 'not_found' }))
      parts.push(sectionOf(TITLES[name], rows, ms))
      // What is held out stays unread while rules are made.
      if (only?.includes(name) && name !== 'held_out')
        for (const [i, row] of rows.entries())
          process.stderr.write(
            `${row.given === row.verdict ? '  ' : '✗ '}${row.verdict} → ${row.given}: ${row.text}\n      ${data[i]?.passages.map(({ text: quote }) => quote.slice(0, 160)).join('\n      ') ?? ''}\n`,
          )
    }
    return `## Checking a text (embedded, no model)\n\n60 sentences over the example library. A wrong “supported” is worse than a “not found”.\n\n${parts.join('\n\n')}`
  } finally {
    await service.stop()
  }
}

export async function examplesIn(service: TemporaryService, folder: string | undefined): Promise<string> {
  const path = folder === undefined ? undefined : join(folder, 'holding.json')
  const known = path === undefined ? '' : await readFile(path, 'utf8').catch(() => '')
  if (known) return (JSON.parse(known) as { workspaceId: string }).workspaceId
  const client = openClient(service.base, service.token)
  const { id } = await client.createWorkspace({ name: 'Examples', description: '' })
  await client.addExamples({ workspace_id: id })
  while (!(await client.getWorkspace({ workspace_id: id })).ready) await sleep(POLL_MS)
  if (path !== undefined) await writeFile(path, JSON.stringify({ workspaceId: id }))
  return id
}

function sectionOf(title: string, rows: readonly (Labelled & { given: TextVerdict })[], ms: number): string {
  const right = rows.filter(({ verdict, given }) => verdict === given).length
  const cells = VERDICTS.map((verdict) => {
    const own = rows.filter((row) => row.verdict === verdict)
    return [
      verdict.replace('_', ' '),
      `${own.length}`,
      ...VERDICTS.map((given) => `${own.filter((row) => row.given === given).length}`),
    ]
  })
  return `### ${title}: ${right} of ${rows.length} right, ${ms.toFixed(0)} ms a sentence\n\n${table(
    ['is', 'sentences', 'given: supported', 'contradicted', 'not found'],
    cells,
  )}`
}
