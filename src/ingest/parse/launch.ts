// Starts one parser child: from dist/*.js in production, from the .ts sources under tsx and Vitest. The child gets no
// secrets: of the environment only what a program needs to run (SEC rows of reference/reliability.md).

import { type ChildProcess, fork } from 'node:child_process'
import { createRequire } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { OcrSettings } from './picture/languages.ts'

const fromSource = import.meta.url.endsWith('.ts')
const entry = fileURLToPath(new URL(`./child/entry.${fromSource ? 'ts' : 'js'}`, import.meta.url))

/** A fresh child with its heap bounded, its scratch folder as home; its standard error is readable. */
export function launchChild(folder: string, heapMegabytes: number, ocr?: OcrSettings): ChildProcess {
  return fork(entry, ocr === undefined ? [] : [JSON.stringify(ocr)], {
    cwd: folder,
    execArgv: [`--max-old-space-size=${heapMegabytes}`, ...loader()],
    env: {
      PATH: '/usr/local/bin:/usr/bin:/bin',
      HOME: folder,
      TMPDIR: folder,
      TEMP: folder,
      LANG: 'C.UTF-8',
    },
    serialization: 'json',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
}

function loader(): string[] {
  if (!fromSource) return []
  const tsx = createRequire(import.meta.url).resolve('tsx/esm')
  return ['--import', pathToFileURL(tsx).href]
}
