// Puts API and worker into one file, dist/src/bundle/app.js, with few more for what is loaded later: of the 1,000 modules that an API
// loads 460 are ours. Processes and threads that are started by path, the command line and the client stay single modules.

import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

// dist/scripts/bundle.js, two folders below the project.
const project = fileURLToPath(new URL('../../', import.meta.url))

/** A module finds what lies beside it where the compiler has put it. All files of the bundle are in one folder. */
const keepAddresses = {
  name: 'keep-addresses',
  enforce: 'pre' as const,
  transform(code: string, id: string) {
    const path = relative(`${project}src`, id.split('?')[0] ?? id)
    if (path.startsWith('..') || !code.includes('import.meta.url')) return null
    const address = `new URL('../${path.replace(/\.ts$/, '.js')}', import.meta.url).href`
    return { code: code.replaceAll('import.meta.url', address), map: null }
  },
}

await build({
  root: project,
  configFile: false,
  publicDir: false,
  logLevel: 'warn',
  plugins: [keepAddresses],
  ssr: { external: true },
  build: {
    ssr: 'src/app.ts',
    outDir: 'dist/src/bundle',
    target: 'node20',
    minify: false,
    sourcemap: true,
    rollupOptions: {
      output: { format: 'es', entryFileNames: 'app.js', chunkFileNames: '[name]-[hash].js' },
    },
  },
})
