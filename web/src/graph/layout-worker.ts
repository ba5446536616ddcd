// Arranges a graph by ForceAtlas2 in a worker. It is a separate file, because the package starts its worker from a blob:
// address, which the page's policy refuses.

import defaults from 'graphology-layout-forceatlas2/defaults.js'
import iterate from 'graphology-layout-forceatlas2/iterate.js'

export interface Task {
  /** x and y of each node. */
  positions: Float32Array
  /** Source, target and weight of each edge. The ends are indexes in the list of nodes. */
  edges: Float32Array
}

export interface Arranged {
  positions: Float32Array
  /** 0 to 1. */
  progress: number
}

const PER_NODE = 10
const PER_EDGE = 3
const [X, Y, MASS, CONVERGENCE, SIZE] = [0, 1, 6, 7, 8]
const MAX_ITERATIONS = 600
/** The interval at which the movement is shown. */
const SHOW_MS = 200

addEventListener('message', ({ data: { positions, edges } }: MessageEvent<Task>) => {
  const order = positions.length / 2
  const nodes = new Float32Array(order * PER_NODE)
  for (let i = 0; i < order; i++) {
    const at = i * PER_NODE
    nodes[at + X] = positions[2 * i] ?? 0
    nodes[at + Y] = positions[2 * i + 1] ?? 0
    nodes[at + MASS] = 1
    nodes[at + CONVERGENCE] = 1
    nodes[at + SIZE] = 1
  }
  const links = edges.slice()
  for (let i = 0; i < links.length; i += PER_EDGE) {
    for (const end of [i, i + 1]) {
      const at = (links[end] ?? 0) * PER_NODE
      links[end] = at
      nodes[at + MASS] = (nodes[at + MASS] ?? 0) + (links[i + 2] ?? 0)
    }
  }
  const settings = {
    ...defaults,
    barnesHutOptimize: order > 500,
    barnesHutTheta: 1,
    strongGravityMode: true,
    gravity: 0.05,
    scalingRatio: 10,
    slowDown: 1 + Math.log(Math.max(1, order)),
  }
  // The number is the same each time, so that a workspace looks the same each time.
  const iterations = order > 2000 ? MAX_ITERATIONS / 2 : MAX_ITERATIONS
  let lastFrameAt = performance.now()
  for (let i = 1; i <= iterations; i++) {
    iterate(settings, nodes, links)
    if (i < iterations && performance.now() - lastFrameAt < SHOW_MS) continue
    const now = new Float32Array(order * 2)
    for (let n = 0; n < order; n++) {
      now[2 * n] = nodes[n * PER_NODE + X] ?? 0
      now[2 * n + 1] = nodes[n * PER_NODE + Y] ?? 0
    }
    const arranged: Arranged = { positions: now, progress: i / iterations }
    postMessage(arranged, { transfer: [now.buffer] })
    lastFrameAt = performance.now()
  }
})
