// What somebody waits for who has nothing but Node: `npx kenning ask FOLDER "question"` from the packed tarball, with an empty npm
// cache, to the cited answer; then the same again. Packages come from the registry that npm is set to.

import { execFileSync, spawn } from 'node:child_process'
import { existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type BenchOptions, median, table } from './report.ts'

const QUESTION = 'How many months’ written notice end the lease of Unit 4, Ropewalk Yard?'
const CITED = /\[1\] Amendment No\. 1 to the lease/

interface Run {
  /** To the first line of the program's own, where it says one. */
  startedMs: number | undefined
  answeredMs: number
  /** Processor time of npm and of all processes of the program, to their end. */
  spentMs: number
}

export async function benchNpx({ runs }: BenchOptions): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'kenning-npx-'))
  try {
    const pack = ['pack', '--json', '--ignore-scripts=false', '--pack-destination', folder]
    const [{ filename, size }] = JSON.parse(execFileSync('npm', pack, { encoding: 'utf8' }))
    const tarball = join(folder, filename)
    const cold: Run[] = []
    const again: Run[] = []
    let sizes = { packages: 0, npm: 0, library: 0 }
    for (let run = 0; run < runs; run++) {
      const home = join(folder, `home-${run}`)
      mkdirSync(home)
      cold.push(await ask(home, tarball))
      again.push(await ask(home, tarball))
      sizes = {
        packages: bytesIn(join(home, '.npm/_npx')),
        npm: bytesIn(join(home, '.npm/_cacache')),
        library: bytesIn(join(home, '.cache/kenning')),
      }
      rmSync(home, { recursive: true, force: true })
    }
    const seconds = (times: (number | undefined)[]): string =>
      `${(median(times.map((time) => time ?? Number.NaN)) / 1000).toFixed(1)} s`
    const megabytes = (bytes: number): string =>
      `${(bytes / 1e6).toFixed(1).replace(/\.\d$/, (digit) => (bytes < 1e7 ? digit : ''))} MB`
    return `## From npx to the first answer (median of ${runs})

${table(
  ['what', 'figure'],
  [
    [
      '`npx kenning ask FOLDER "question"`, nothing installed, to the cited answer',
      seconds(cold.map(({ answeredMs }) => answeredMs)),
    ],
    ['of it npm, until the program starts', seconds(cold.map(({ startedMs }) => startedMs))],
    ['processor time of both, to their end', seconds(cold.map(({ spentMs }) => spentMs))],
    ['a second question, by npx again', seconds(again.map(({ answeredMs }) => answeredMs))],
    ['its processor time', seconds(again.map(({ spentMs }) => spentMs))],
    ['the tarball', megabytes(size)],
    ['installed, with all packages', megabytes(sizes.packages)],
    ['what npm keeps of the download', megabytes(sizes.npm)],
    ['the library of the folder', megabytes(sizes.library)],
  ],
)}

(The folder is \`examples/\`: 15 files. An empty cache of npm and an empty home for each run.)`
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function ask(home: string, tarball: string): Promise<Run> {
  const userconfig = process.env.npm_config_userconfig ?? join(homedir(), '.npmrc')
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    ...(existsSync(userconfig) ? { npm_config_userconfig: userconfig } : {}),
    npm_config_cache: join(home, '.npm'),
  }
  const args = ['--yes', '--package', tarball, 'kenning', 'ask', resolve('examples'), QUESTION]
  const began = performance.now()
  const before = spentByChildren()
  return new Promise((done, fail) => {
    const child = spawn('npx', args, { cwd: home, env, stdio: ['ignore', 'pipe', 'pipe'] })
    let stdout = ''
    let stderr = ''
    let startedMs: number | undefined
    let answeredMs: number | undefined
    child.stdout.setEncoding('utf8').on('data', (piece) => {
      stdout += piece
      if (CITED.test(stdout)) answeredMs ??= performance.now() - began
    })
    child.stderr.setEncoding('utf8').on('data', (piece) => {
      stderr += piece
      if (stderr.includes('for the first time')) startedMs ??= performance.now() - began
    })
    child.once('error', fail)
    child.once('close', (code) => {
      if (code === 0 && answeredMs !== undefined)
        done({ startedMs, answeredMs, spentMs: spentByChildren() - before })
      else fail(new Error(`npx ended with ${code}:\n${stdout}\n${stderr}`))
    })
  })
}

/** Of processes that have ended (Linux): cutime and cstime of proc(5), in ticks of 1/100 s. */
function spentByChildren(): number {
  const stat = readFileSync('/proc/self/stat', 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[13]) + Number(fields[14])) * 10
}

/** As `du` counts: whole blocks. */
function bytesIn(folder: string): number {
  let bytes = 0
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const { blocks } = lstatSync(join(entry.parentPath ?? entry.path, entry.name))
    bytes += blocks * 512
  }
  return bytes
}
