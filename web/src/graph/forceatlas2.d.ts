// Types of the package that its own types lack: one iteration, for our worker.

declare module 'graphology-layout-forceatlas2/iterate.js' {
  import type { ForceAtlas2Settings } from 'graphology-layout-forceatlas2'

  /** Moves the nodes once. Ten numbers a node, three an edge (see the package's `helpers.js`). */
  const iterate: (settings: ForceAtlas2Settings, nodes: Float32Array, edges: Float32Array) => unknown
  export = iterate
}

declare module 'graphology-layout-forceatlas2/defaults.js' {
  import type { ForceAtlas2Settings } from 'graphology-layout-forceatlas2'

  const defaults: ForceAtlas2Settings
  export = defaults
}
