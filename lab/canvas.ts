// Frames per second of the console's canvas with 5,000 entities while somebody drags it about: the built page in a real
// Chromium, with a graph by chance, since no library of the project has so many.

import { loadavg } from 'node:os'
import { chromium, type Page } from 'playwright-core'
import type { Graph } from '../src/contract/resources.ts'
import { ADMIN, processTree, startService } from '../test/support/service.ts'
import { type BenchOptions, median, table } from './report.ts'

const NODES = 5000
const EDGES = 15_000
const DRAG_MS = 5000
const TYPES = ['person', 'organization', 'location', 'product', 'concept']
// As in test/browser/browser.ts: nothing outside this machine, and WebGL by the processor.
export const CHROMIUM_ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--enable-unsafe-swiftshader',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export async function benchCanvas({ runs }: BenchOptions): Promise<string> {
  const executablePath = process.env.KENNING_CHROMIUM
  if (!executablePath)
    throw new Error('canvas needs a Chromium: scripts/chromium run -- node dist/lab/run.js canvas')
  const service = await startService()
  const browser = await chromium.launch({ executablePath, args: CHROMIUM_ARGUMENTS })
  try {
    const page = await browser.newPage({ baseURL: service.origin, viewport: { width: 1440, height: 900 } })
    await openCanvas(page, service.base, await service.token())
    const layoutSeconds = await arranged(page)
    const whole: Rate[] = []
    const near: Rate[] = []
    for (let run = 0; run < runs; run++) whole.push(await drag(page))
    for (let click = 0; click < 3; click++) await page.getByRole('button', { name: 'Zoom in' }).click()
    for (let run = 0; run < runs; run++) near.push(await drag(page))
    const renderer = await page.evaluate<string>(RENDERER)
    const row = (name: string, rates: Rate[]) => [
      name,
      median(rates.map(({ drawn }) => drawn)).toFixed(0),
      '≥ 30',
      median(rates.map(({ drawingMs }) => drawingMs)).toFixed(0),
      median(rates.map(({ pageMs }) => pageMs)).toFixed(0),
    ]
    return `## The console's canvas: ${NODES.toLocaleString('en')} entities, ${EDGES.toLocaleString('en')} relations, dragged for ${DRAG_MS / 1000} s (median of ${runs})

${table(
  ['', 'frames/s', 'mark', 'processor time a frame: drawing, ms', 'the page, ms'],
  [row('all in view', whole), row('zoomed in', near)],
)}

A graph by chance with hubs is given to the built page in place of the service's answer. In each animation frame the mouse is moved a step, as in a drag; frames are those in which WebGL drew, at 1440 × 900. Relations are left out while it moves. Processor time is that of Chromium's processes, all threads together. Arranged after ${layoutSeconds.toFixed(0)} s, in a worker. Chromium ${browser.version()} without a graphics card (${renderer}); load of the machine meanwhile: ${loadavg()[0]?.toFixed(0)}.`
  } finally {
    await browser.close()
    await service.remove()
  }
}

interface Rate {
  /** Frames a second in which WebGL drew. */
  drawn: number
  /** Processor time of the process that draws, and of the page's own, a frame. */
  drawingMs: number
  pageMs: number
}

async function openCanvas(page: Page, base: string, token: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const made = await fetch(`${base}/workspaces`, { method: 'POST', headers, body: '{"name":"Canvas"}' })
  const { id } = (await made.json()) as { id: string }
  const graph = graphByChance()
  const themes = {
    total_entities: NODES,
    types: TYPES.map((type) => ({ type, count: NODES / 5 })),
    top_entities: [],
  }
  await page.route(/\/v1\/workspaces\/[^/]+\/graph\?/, (route) => route.fulfill({ json: graph }))
  await page.route(/\/v1\/workspaces\/[^/]+\/themes\?/, (route) => route.fulfill({ json: themes }))
  await page.addInitScript(DRAG)
  await page.goto(`/w/${id}/graph?view=canvas&size=${NODES}`)
  await page.getByLabel('Email address').fill(ADMIN.email)
  await page.getByLabel('Password').fill(ADMIN.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

async function arranged(page: Page): Promise<number> {
  await page.getByRole('application').waitFor()
  const started = performance.now()
  await page.locator('[data-arranged="true"]').waitFor({ timeout: 300_000 })
  return (performance.now() - started) / 1000
}

async function drag(page: Page): Promise<Rate> {
  const box = await page.getByRole('application').boundingBox()
  if (!box) throw new Error('the canvas is not shown')
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  await page.mouse.move(x, y)
  await page.mouse.down()
  const before = [processorMs('gpu-process'), processorMs('renderer')]
  const frames = await page.evaluate<number>(`globalThis.drag(${x}, ${y}, ${DRAG_MS})`)
  const after = [processorMs('gpu-process'), processorMs('renderer')]
  await page.mouse.up()
  const [drawingMs = 0, pageMs = 0] = after.map((ms, i) => (ms - (before[i] ?? 0)) / frames)
  return { drawn: (1000 * frames) / DRAG_MS, drawingMs, pageMs }
}

/** Of Chromium's processes of this kind, until now. */
const processorMs = (kind: string): number =>
  processTree(process.pid)
    .filter(({ command }) => command.includes(`--type=${kind}`))
    .reduce((sum, { ticks }) => sum + 10 * ticks, 0)

/** Moves the mouse in circles, a step a frame, and counts the frames in which something was drawn by WebGL. */
const DRAG = `{
  let isDrawn = false
  for (const name of ['drawArrays', 'drawElements', 'drawArraysInstanced', 'drawElementsInstanced']) {
    const original = WebGL2RenderingContext.prototype[name]
    WebGL2RenderingContext.prototype[name] = function (...given) {
      isDrawn = true
      return original.apply(this, given)
    }
  }
  globalThis.drag = (x, y, ms) => new Promise((done) => {
    const started = performance.now()
    let drawn = 0
    const frame = (now) => {
      if (isDrawn) drawn++
      isDrawn = false
      if (now - started >= ms) return done(drawn)
      const turn = (now - started) / 200
      document.dispatchEvent(new MouseEvent('mousemove', {
        bubbles: true, buttons: 1, clientX: x + 150 * Math.sin(turn), clientY: y + 150 * Math.cos(turn),
      }))
      requestAnimationFrame(frame)
    }
    requestAnimationFrame(frame)
  })
}`

const RENDERER = `(() => {
  const gl = document.createElement('canvas').getContext('webgl2')
  const names = gl.getExtension('WEBGL_debug_renderer_info')
  return gl.getParameter(names ? names.UNMASKED_RENDERER_WEBGL : gl.RENDERER)
})()`

/** The same each time. Each entity is related to earlier ones, the more often the more they already are. */
function graphByChance(): Graph {
  let state = 7
  const chance = (): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
  const nodes = Array.from({ length: NODES }, (_, i) => ({
    id: `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`,
    name: `Entity ${i}`,
    type: TYPES[i % TYPES.length] ?? 'other',
    mention_count: Math.ceil(2000 / (i + 1)),
  }))
  const ends: number[] = [0]
  const edges = Array.from({ length: EDGES }, (_, i) => {
    const source = 1 + (i % (NODES - 1))
    const target = ends[Math.floor(chance() * ends.length)] ?? 0
    ends.push(source, target)
    return { source, target, types: ['related_to'], evidence_count: 1 + Math.floor(3 * chance()) }
  })
  return { nodes, edges }
}
