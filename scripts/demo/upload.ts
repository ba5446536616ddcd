// Uploads files and shows progress: bars in a terminal, elsewhere a line for each finished file.

import type { Job, JobFile, JobProgress } from '../../src/contract/resources.ts'
import type { Client } from './client.ts'
import { formOf, type LocalFile } from './files.ts'
import { cut, printable, type Terminal } from './print/terminal.ts'

type FileProgress = JobFile &
  Partial<Pick<JobProgress['files'][number], 'stage' | 'progress' | 'remaining_seconds'>>
interface Progress {
  status: Job['status']
  files: FileProgress[]
}

const BAR_COLUMNS = 20
const POLL_MS = 400

const stageNames: Record<string, string> = {
  queued: 'waiting',
  parsing: 'reading',
  chunking: 'splitting into passages',
  embedding: 'computing vectors',
  indexing: 'indexing',
}

/** Uploads one batch and shows its progress until every file has ended. */
export async function upload(
  client: Client,
  terminal: Terminal,
  workspaceId: string,
  batch: LocalFile[],
): Promise<JobFile[]> {
  const job = await client.send<Job>(`/workspaces/${workspaceId}/files`, await formOf(batch))
  const display = openDisplay(terminal)
  let last: Progress = job
  for await (const progress of follow(client, job)) {
    last = progress
    display.draw(progress.files)
  }
  display.draw(last.files)
  return last.files
}

/** Reads the job's event stream, and polls if there is none or it breaks off. */
async function* follow(client: Client, job: Job): AsyncGenerator<Progress> {
  yield job
  const events = await client.events(`/jobs/${job.id}/events`)
  const files = new Map<string, FileProgress>(job.files.map((file) => [file.filename, file]))
  for await (const { event, data } of events ?? []) {
    if (event !== 'progress') continue
    // Only has the files that changed.
    const progress = JSON.parse(data) as Progress
    for (const file of progress.files) files.set(file.filename, file)
    yield { ...progress, files: [...files.values()] }
    if (progress.status === 'done') break
  }
  for (;;) {
    const now = await client.get<Job>(`/jobs/${job.id}`)
    yield now
    if (now.status === 'done') return
    await client.pause(POLL_MS)
  }
}

interface Display {
  draw(files: FileProgress[]): void
}

function openDisplay(terminal: Terminal): Display {
  return terminal.live ? bars(terminal) : lines(terminal)
}

function bars(terminal: Terminal): Display {
  let drawn = 0
  return {
    draw(files) {
      const shown =
        files.length < terminal.rows - 1 ? files : unfinishedFirst(files).slice(0, terminal.rows - 2)
      const up = drawn > 0 ? `\x1b[${drawn}A` : ''
      terminal.raw(`${up}${shown.map((file) => `\x1b[2K${barLine(terminal, file)}\n`).join('')}\x1b[J`)
      drawn = shown.length
    },
  }
}

const unfinishedFirst = (files: FileProgress[]): FileProgress[] =>
  [...files].sort((a, b) => Number(hasEnded(a)) - Number(hasEnded(b)))

const hasEnded = ({ status }: FileProgress): boolean => status === 'done' || status === 'failed'

function barLine(terminal: Terminal, file: FileProgress): string {
  const nameColumns = Math.min(36, terminal.width - BAR_COLUMNS - 28)
  const name = cut(printable(file.filename), nameColumns).padEnd(nameColumns)
  const share = file.status === 'done' ? 1 : (file.progress ?? 0)
  const full = Math.round(share * BAR_COLUMNS)
  const colour = file.status === 'failed' ? 'bad' : file.status === 'done' ? 'good' : 'accent'
  const bar =
    terminal.style(colour, '━'.repeat(full)) + terminal.style('faint', '─'.repeat(BAR_COLUMNS - full))
  const percent = `${Math.round(share * 100)} %`.padStart(5)
  return `  ${name}  ${bar} ${percent}  ${stateOf(terminal, file)}`
}

function stateOf(terminal: Terminal, file: FileProgress): string {
  if (file.status === 'done') return terminal.style('good', 'done')
  if (file.status === 'failed') return terminal.style('bad', 'failed')
  const stage = file.stage ?? file.status
  const left = file.remaining_seconds === undefined ? '' : `, ${file.remaining_seconds} s left`
  return terminal.style('faint', `${stageNames[stage] ?? stage}${left}`)
}

/** Without a terminal: one line for each file that ends. */
function lines(terminal: Terminal): Display {
  const printed = new Set<string>()
  return {
    draw(files) {
      for (const file of files) {
        if (!hasEnded(file) || printed.has(file.filename)) continue
        printed.add(file.filename)
        terminal.print(`  ${file.status.padEnd(6)}  ${printable(file.filename)}`)
      }
    },
  }
}
