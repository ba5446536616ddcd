// Computes the layout of a graph by ForceAtlas2 in a worker. The package's own worker starts from a blob: address, which the
// page's security policy forbids, so this file is the worker.

import defaults from 'graphology-layout-forceatlas2/defaults.js'
import iterate from 'graphology-layout-forceatlas2/iterate.js'

export interface Task {
  /** x and y of each node. */
  positions: Float32Array
  /** Source, target and weight of each edge. The ends are indexes in the list of nodes. */
  edges: Float32Array
}

export interface LayoutState {
  positions: Float32Array
  /** 0 to 1. */
  progress: number
}

const PER_NODE = 10
const PER_EDGE = 3
const [X, Y, MASS, CONVERGENCE, SIZE] = [0, 1, 6, 7, 8]
const MAX_ITERATIONS = 600
/** The positions are sent to the page at this interval. */
const SHOW_INTERVAL_MS = 200

addEventListener('message', ({ data: { positions, edges } }: MessageEvent<Task>) => {
  const order = positions.length / 2
  const nodes = new Float32Array(order * PER_NODE)
  for (let i = 0; i < order; i++) {
    const offset = i * PER_NODE
    nodes[offset + X] = positions[2 * i] ?? 0
    nodes[offset + Y] = positions[2 * i + 1] ?? 0
    nodes[offset + MASS] = 1
    nodes[offset + CONVERGENCE] = 1
    nodes[offset + SIZE] = 1
  }
  const links = edges.slice()
  for (let i = 0; i < links.length; i += PER_EDGE) {
    for (const endIndex of [i, i + 1]) {
      const offset = (links[endIndex] ?? 0) * PER_NODE
      links[endIndex] = offset
      nodes[offset + MASS] = (nodes[offset + MASS] ?? 0) + (links[i + 2] ?? 0)
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
  // The number of iterations does not depend on time, so that a workspace always looks the same.
  const iterations = order > 2000 ? MAX_ITERATIONS / 2 : MAX_ITERATIONS
  let lastFrameAt = performance.now()
  for (let i = 1; i <= iterations; i++) {
    iterate(settings, nodes, links)
    if (i < iterations && performance.now() - lastFrameAt < SHOW_INTERVAL_MS) continue
    const currentPositions = new Float32Array(order * 2)
    for (let n = 0; n < order; n++) {
      currentPositions[2 * n] = nodes[n * PER_NODE + X] ?? 0
      currentPositions[2 * n + 1] = nodes[n * PER_NODE + Y] ?? 0
    }
    const state: LayoutState = { positions: currentPositions, progress: i / iterations }
    postMessage(state, { transfer: [currentPositions.buffer] })
    lastFrameAt = performance.now()
  }
})
