// Run by tsx. Makes packages/client/dist: the client of src/client as one module, in which its parser of events is included, and its types. The
// package has no dependency, so that it can be installed where nothing else of Kenning is.

import { copyFileSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { writeClientDeclarations } from './client-declarations.ts'

const project = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '')
const folder = join(project, 'packages/client')
const target = join(folder, 'dist')

rmSync(target, { recursive: true, force: true })
mkdirSync(target)
await build({
  root: project,
  configFile: false,
  publicDir: false,
  logLevel: 'error',
  build: {
    lib: { entry: join(project, 'src/client/client.ts'), formats: ['es'], fileName: () => 'client.js' },
    outDir: target,
    target: 'es2022',
    // Of 100 kB, which the package may have, most are what its types say of each operation and schema.
    rolldownOptions: { output: { minify: true } },
  },
})
writeClientDeclarations(project, target)
copyFileSync(join(project, 'LICENSE'), join(folder, 'LICENSE'))
copyFileSync(
  join(project, 'node_modules/eventsource-parser/LICENSE'),
  join(target, 'eventsource-parser.LICENSE'),
)
