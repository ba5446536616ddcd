// The types that openapi-typescript makes of an OpenAPI document.

import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

// It needs the programming interface of TypeScript 5, which 7 does not have; as a package of its own TypeScript 5 would bring a
// second `tsc`, and @ts-morph/common holds it without.
const RESOLVE = `export const resolve = (name, context, next) =>
  next(name === 'typescript' && context.parentURL?.includes('/openapi-typescript/') ? '@ts-morph/common/dist/typescript.js' : name, context)`
const hook = `data:text/javascript,${encodeURIComponent(
  `import { register } from 'node:module'; register('data:text/javascript,' + encodeURIComponent(${JSON.stringify(RESOLVE)}))`,
)}`

export function openApiTypes(document: string): string {
  const path = join(tmpdir(), `kenning-openapi-${process.pid}.ts`)
  // Fields with a default may be left out, as the specification's tables say.
  const options = [document, '--output', path, '--default-non-nullable=false']
  const program = 'node_modules/openapi-typescript/bin/cli.js'
  try {
    execFileSync(process.execPath, ['--import', hook, program, ...options], { stdio: 'pipe' })
    return readFileSync(path, 'utf8')
  } finally {
    rmSync(path, { force: true })
  }
}
