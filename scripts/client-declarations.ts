// Declarations of the client's modules, in which nothing of zod is left.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { clientTypes } from './client-types.ts'

/** What only the client itself uses. */
const INTERNAL = ['routes.d.ts', 'upload.d.ts']

/** @param project the folder of the repository */
export function writeClientDeclarations(project: string, target: string): void {
  const folder = mkdtempSync(join(tmpdir(), 'kenning-client-'))
  try {
    const config = {
      extends: `${project}/tsconfig.json`,
      compilerOptions: {
        declaration: true,
        emitDeclarationOnly: true,
        noEmit: false,
        noCheck: true,
        outDir: folder,
        rootDir: project,
        typeRoots: [`${project}/node_modules/@types`],
      },
      files: [`${project}/src/client/client.ts`],
      include: [],
    }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
    const compiler = [`${project}/node_modules/typescript/bin/tsc`, '-p', folder]
    const { status, stdout } = spawnSync(process.execPath, compiler, { encoding: 'utf8' })
    if (status !== 0) throw new Error(`The types of the client could not be made:\n${stdout}`)
    const made = join(folder, 'src/client')
    for (const name of readdirSync(made).filter((file) => ![...INTERNAL, 'types.d.ts'].includes(file))) {
      // Other compilers than ours want the name of the module that is there.
      const text = readFileSync(join(made, name), 'utf8').replace(/(from '\.\/\w+)\.ts'/g, "$1.js'")
      writeFileSync(join(target, name), text)
    }
    writeFileSync(join(target, 'types.d.ts'), clientTypes())
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
