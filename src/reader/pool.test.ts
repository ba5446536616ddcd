// The pool with children that die, hang, swell and are killed: no file is lost, no child exceeds its time.

import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { LiteParse } from '@llamaindex/liteparse'
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { inFolder } from '../../test/support/files/parse.ts'
import { makePdf, type PdfText, prose } from '../../test/support/files/pdf.ts'
import { drawLine, makeJpeg } from '../../test/support/files/pictures.ts'
import type { ParserLimits } from './limits.ts'
import { openPool, type ParserPool } from './pool.ts'
import { pixelSize } from './shared/rasters/image-size.ts'
import { NoSuchPage, type ParseJob } from './task.ts'

// Reading a full page as a picture takes a second or more: the file during which things happen.
let slowImage: Buffer
/** Where it is read to its end. */
let shortImage: Buffer

beforeAll(async () => {
  const line = (i: number): string => `Line ${i + 1} of a long letter about tide gauges and harbours`
  slowImage = await drawn(
    prose(
      Array.from({ length: 24 }, (_, i) => line(i)),
      740,
    ),
    150,
  )
  shortImage = makeJpeg(await drawLine(line(3), 100))
})

function drawn(texts: PdfText[], dpi: number): Promise<Buffer> {
  return inFolder(async (folder) => {
    const path = join(folder, 'letter.pdf')
    await writeFile(path, makePdf([texts]))
    const [shot] = await new LiteParse({ dpi, quiet: true, ocrEnabled: false }).screenshot(path, [1])
    if (shot === undefined) throw new Error('nothing drawn')
    return shot.imageBuffer
  })
}

const pools: ParserPool[] = []

afterEach(async () => {
  for (const pool of pools.splice(0)) await pool.close()
})

function poolIn(cacheDir: string, limits: Partial<ParserLimits> = {}, size = 1): ParserPool {
  const pool = openPool({
    size,
    cacheDir,
    limits,
    log: { info: () => undefined, warn: () => undefined },
  })
  pools.push(pool)
  return pool
}

async function childPids(): Promise<number[]> {
  const path = `/proc/${process.pid}/task/${process.pid}/children`
  const pids = (await readFile(path, 'utf8')).trim().split(/\s+/).filter(Boolean).map(Number)
  const commands = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
  )
  return pids.filter((_, i) => commands[i]?.includes('reader/child/entry'))
}

const until = (check: () => boolean | Promise<boolean>): Promise<void> =>
  expect.poll(check, { interval: 50 }).toBe(true)

async function fileIn(
  folder: string,
  name: string,
  bytes: Buffer | string,
): Promise<Pick<ParseJob, 'path' | 'filename'>> {
  const path = join(folder, name)
  await writeFile(path, bytes)
  return { path, filename: name }
}

/** A promise that is kept once the job's parser is at work. */
function working(): { started: Promise<void>; onProgress: () => void } {
  let onProgress = (): void => undefined
  const started = new Promise<void>((resolve) => {
    onProgress = resolve
  })
  return { started, onProgress }
}

// The tests look at processes through /proc.
describe.runIf(process.platform === 'linux')('the pool', () => {
  test('no child before the first file; one serves the next files; recycled when used up', () =>
    inFolder(async (folder) => {
      await until(async () => (await childPids()).length === 0) // those of the file before are gone
      const pool = poolIn(folder, { filesPerChild: 2 })
      const job = { ...(await fileIn(folder, 'a.txt', 'hello there')), kind: 'text' as const }
      expect(await childPids()).toEqual([])
      const seen: (number | undefined)[] = []
      for (let i = 0; i < 3; i++) {
        expect((await pool.parse(job)).blocks[0]?.text).toBe('hello there')
        if (i !== 1) seen.push((await childPids())[0])
      }
      expect(seen[0]).toBeDefined()
      expect(seen[1]).not.toBe(seen[0])
    }))

  test('a child that is idle is ended, and the next file gets another', () =>
    inFolder(async (folder) => {
      const pool = poolIn(folder, { idleMs: 300 })
      const job = { ...(await fileIn(folder, 'a.txt', 'hello there')), kind: 'text' as const }
      for (let i = 0; i < 2; i++) {
        expect((await pool.parse(job)).blocks).toHaveLength(1)
        await until(async () => (await childPids()).length === 0)
      }
    }))

  test('a scratch folder that could not be made is made with the next file', () =>
    inFolder(async (folder) => {
      const cacheDir = join(folder, 'cache')
      const pool = poolIn(cacheDir)
      const job = { ...(await fileIn(folder, 'a.txt', 'hello there')), kind: 'text' as const }
      await writeFile(cacheDir, 'in its way')
      await expect(pool.parse(job)).rejects.toMatchObject({ code: 'EEXIST' })
      await rm(cacheDir)
      expect((await pool.parse(job)).blocks[0]?.text).toBe('hello there')
    }))

  test('files beyond the size wait; all come back right', () =>
    inFolder(async (folder) => {
      const pool = poolIn(folder, {}, 2)
      const results = Array.from({ length: 8 }, async (_, i) => {
        const job = { ...(await fileIn(folder, `${i}.txt`, `text of file ${i}`)), kind: 'text' as const }
        return (await pool.parse(job)).blocks[0]?.text
      })
      expect(await Promise.all(results)).toEqual(Array.from({ length: 8 }, (_, i) => `text of file ${i}`))
      expect((await childPids()).length).toBeLessThanOrEqual(2)
    }))

  test('the child has no secrets and a relative path is the caller’s', () =>
    inFolder(async (folder) => {
      vi.stubEnv('KENNING_TEST_SECRET', 'do-not-leak')
      const pool = poolIn(folder)
      const { blocks } = await pool.parse({
        path: 'examples/staff-handbook.md',
        filename: 'a.md',
        kind: 'markdown',
      })
      expect(blocks.length).toBeGreaterThan(5)
      const [pid] = await childPids()
      const environment = (await readFile(`/proc/${pid}/environ`, 'utf8')).split('\0').filter(Boolean)
      vi.unstubAllEnvs()
      const names = environment.map((entry) => entry.split('=')[0])
      expect(
        names.filter((name) => !/^(PATH|HOME|TMPDIR|TEMP|LANG|NODE_CHANNEL_.*)$/.test(name ?? '')),
      ).toEqual([])
    }))

  test('kill -9 of the child in the middle of a file loses nothing', () =>
    inFolder(async (folder) => {
      const pool = poolIn(folder)
      const { started, onProgress } = working()
      const parsed = pool.parse({ ...(await fileIn(folder, 'a.png', shortImage)), kind: 'image', onProgress })
      await started
      for (const pid of await childPids()) process.kill(pid, 'SIGKILL')
      expect((await parsed).blocks.map((block) => block.text).join('\n')).toContain('Line 4 of a long letter')
    }))

  test('killed from outside twice is no fault of the file', () =>
    inFolder(async (folder) => {
      const pool = poolIn(folder)
      let kills = 0
      const onProgress = async (): Promise<void> => {
        for (const pid of await childPids()) process.kill(pid, 'SIGKILL')
        kills++
      }
      const parsed = pool.parse({
        ...(await fileIn(folder, 'a.png', slowImage)),
        kind: 'image',
        onProgress: () => void onProgress().catch(() => undefined),
      })
      await expect(parsed).rejects.toThrow('from outside twice')
      await expect(parsed).rejects.not.toHaveProperty('reason')
      expect(kills).toBeGreaterThanOrEqual(2)
    }))

  test('an abort ends the child and leaves nothing', () =>
    inFolder(async (folder) => {
      const pool = poolIn(folder)
      const { started, onProgress } = working()
      const stop = new AbortController()
      const file = await fileIn(folder, 'a.png', slowImage)
      const parsed = pool.parse({ ...file, kind: 'image', signal: stop.signal, onProgress })
      await started
      stop.abort()
      await expect(parsed).rejects.toMatchObject({ reason: 'cancelled' })
      await until(async () => (await childPids()).length === 0)
      const [scratch] = (await readdir(folder)).filter((name) => name.startsWith('parser-'))
      // tsx keeps a cache where it finds a temporary folder; in production there is none. Sandboxes share `root`.
      const left = await readdir(join(folder, scratch ?? ''))
      expect(left.filter((name) => !name.startsWith('tsx-') && name !== 'root')).toEqual([])
      await expect(pool.parse({ ...file, kind: 'image', signal: AbortSignal.abort() })).rejects.toMatchObject(
        {
          reason: 'cancelled',
        },
      )
    }))

  test('past the deadline the child is killed and the next file is served', () =>
    inFolder(async (folder) => {
      const pool = poolIn(folder, { baseMs: 500, capMs: 500, pollMs: 20 })
      const words = 'many small words of a page that takes its time '
      const lines = Array.from({ length: 110 }, (_, i) => ({
        x: 30,
        y: 770 - i * 7,
        size: 6,
        text: `${i} ${words.repeat(3)}`,
      }))
      const slow = { ...(await fileIn(folder, 'a.png', await drawn(lines, 200))), kind: 'image' as const }
      await expect(pool.parse(slow)).rejects.toMatchObject({ reason: 'too_complex' })
      const text = { ...(await fileIn(folder, 'b.txt', 'still here')), kind: 'text' as const }
      expect((await pool.parse(text)).blocks[0]?.text).toBe('still here')
    }))

  test('a child that is stopped and goes on has lost no time, nor one that others keep from running', () =>
    inFolder(async (folder) => {
      const pool = poolIn(folder, { hangMs: 900, pollMs: 20 })
      const { started, onProgress } = working()
      const loops = Array.from({ length: 4 }, () =>
        spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
      )
      try {
        const file = await fileIn(folder, 'a.png', shortImage)
        const parsed = pool.parse({ ...file, kind: 'image', onProgress })
        await started
        const [pid = 0] = await childPids()
        process.kill(pid, 'SIGSTOP')
        await sleep(1500)
        process.kill(pid, 'SIGCONT')
        expect((await parsed).blocks.map((block) => block.text).join('\n')).toContain(
          'Line 4 of a long letter',
        )
      } finally {
        for (const loop of loops) loop.kill('SIGKILL')
      }
    }))

  test('past the memory ceiling the child is killed', () =>
    inFolder(async (folder) => {
      const pool = poolIn(folder, { residentBytes: 150 * 2 ** 20, pollMs: 20 })
      const parsed = pool.parse({ ...(await fileIn(folder, 'a.png', slowImage)), kind: 'image' })
      await expect(parsed).rejects.toMatchObject({ reason: 'too_large_unpacked' })
    }))

  test('out of heap is told as too large, not as damage', () =>
    inFolder(async (folder) => {
      const pool = poolIn(folder, { heapMegabytes: 48 })
      const text = 'many words\n\n'.repeat(1_000_000)
      const parsed = pool.parse({ ...(await fileIn(folder, 'a.txt', text)), kind: 'text' })
      await expect(parsed).rejects.toMatchObject({ reason: 'too_large_unpacked' })
    }))

  test('who leaves the line is told at once and holds nobody up', () =>
    inFolder(async (folder) => {
      const pool = poolIn(folder)
      const { started, onProgress } = working()
      const first = pool.parse({ ...(await fileIn(folder, 'a.png', shortImage)), kind: 'image', onProgress })
      await started
      const text = { ...(await fileIn(folder, 'b.txt', 'next in line')), kind: 'text' as const }
      const stop = new AbortController()
      const left = pool.parse({ ...text, signal: stop.signal })
      const next = pool.parse(text)
      const order: string[] = []
      const told = left.catch(() => order.push('left'))
      const read = first.then(() => order.push('first'))
      stop.abort()
      await expect(left).rejects.toMatchObject({ reason: 'cancelled' })
      expect((await next).blocks).toHaveLength(1)
      await Promise.all([told, read])
      expect(order).toEqual(['left', 'first'])
    }))

  test('draws a page of a PDF and of an image, bounded in size; says so when there is none', () =>
    inFolder(async (folder) => {
      const pool = poolIn(folder)
      const pdf = await fileIn(folder, 'blob', makePdf([prose(['one']), prose(['two'])]))
      const file = { path: pdf.path, kind: 'pdf' }
      const first = await pool.renderPage(file, 1)
      const size = pixelSize(first)
      expect(size).toEqual({ width: expect.closeTo(1236, -1), height: 1600 })
      // It states its resolution, by which boxes in points are placed on it: 612 x 792 points.
      const perMetre = first.readUInt32BE(first.indexOf('pHYs') + 4)
      expect(
        [(size?.width ?? 0) / perMetre, 1600 / perMetre].map((metres) => (metres / 0.0254) * 72),
      ).toEqual([expect.closeTo(612, 0), expect.closeTo(792, 0)])
      expect((await pool.renderPage(file, 2)).equals(first)).toBe(false)
      const narrow = await pool.renderPage(file, 2, undefined, { width: 300 })
      expect(pixelSize(narrow)?.width).toBeCloseTo(300, -1)
      const wide = await pool.renderPage(file, 2, undefined, { width: 1e9 })
      expect(pixelSize(wide)?.height).toBeLessThanOrEqual(4100)
      for (const page of [0, 3, 1.5, -1, 2 ** 40])
        await expect(pool.renderPage(file, page)).rejects.toBeInstanceOf(NoSuchPage)
      const image = { path: (await fileIn(folder, 'picture', slowImage)).path, kind: 'image' }
      expect(pixelSize(await pool.renderPage(image, 1))?.height).toBe(1600)
      await expect(pool.renderPage(image, 2)).rejects.toBeInstanceOf(NoSuchPage)
      await expect(pool.renderPage({ ...image, kind: 'docx' }, 1)).rejects.toBeInstanceOf(NoSuchPage)
      await expect(pool.renderPage({ ...image, kind: 'pdf' }, 1)).rejects.toMatchObject({ reason: 'damaged' })
      await expect(pool.renderPage(file, 1, AbortSignal.abort())).rejects.toMatchObject({
        reason: 'cancelled',
      })
      const locked = await fileIn(folder, 'locked', makePdf([prose(['x'])], { locked: true }))
      await expect(pool.renderPage({ path: locked.path, kind: 'pdf' }, 1)).rejects.toMatchObject({
        reason: 'encrypted',
      })
    }))

  test('a closed pool has no children and no folder', () =>
    inFolder(async (folder) => {
      const pool = poolIn(folder)
      const job = { ...(await fileIn(folder, 'a.txt', 'hello')), kind: 'text' as const }
      await pool.parse(job)
      await pool.close()
      await until(async () => (await childPids()).length === 0)
      expect((await readdir(folder)).filter((name) => name.startsWith('parser-'))).toEqual([])
      await expect(pool.parse(job)).rejects.toThrow('closed')
    }))

  test('children die with their parent, even in the middle of a file', () =>
    inFolder(async (folder) => {
      const file = await fileIn(folder, 'a.png', slowImage)
      const parent = await startParent(folder, file.path)
      const pids = (await readFile(`/proc/${parent.pid}/task/${parent.pid}/children`, 'utf8'))
        .trim()
        .split(' ')
        .map(Number)
      const parsers = pids.filter((pid) => existsSync(`/proc/${pid}`))
      expect(parsers.length).toBeGreaterThan(0)
      parent.kill('SIGKILL')
      await until(() => parsers.every((pid) => !existsSync(`/proc/${pid}`)))
    }))
})

/** Another process with a pool of its own, in the middle of a file. */
function startParent(folder: string, path: string): Promise<ChildProcess> {
  const pool = pathToFileURL(join(import.meta.dirname, 'pool.ts')).href
  const program = `
    const { openPool } = await import(${JSON.stringify(pool)})
    const log = { info() {}, warn() {} }
    const pool = openPool({ size: 1, cacheDir: ${JSON.stringify(folder)}, log })
    await pool.parse({ path: ${JSON.stringify(path)}, filename: 'a.png', kind: 'image', onProgress: () => process.stdout.write('working') })
  `
  const parent = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return new Promise((resolve, reject) => {
    parent.stdout?.once('data', () => resolve(parent))
    parent.once('error', reject)
    parent.once('exit', () => reject(new Error('the parent ended before it began')))
  })
}
