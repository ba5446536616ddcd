// The order of test files: projects of long files first, so that at the end of a run short ones keep every worker busy. The
// files of a project follow each other, since a worker that changes to another one is started anew.

import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const ORDER = ['e2e', 'postgres-isolated', 'postgres', 'api', 'unit']
const place = ({ project }: TestSpecification): number => ORDER.indexOf(project.name)

/** Those that take long in a gate, the longest first; how large a file is says little of that. */
const LONG = readFileSync(new URL('./long-files.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter(Boolean)
const rank = ({ moduleId }: TestSpecification): number => {
  const at = LONG.indexOf(relative(process.cwd(), moduleId))
  return at < 0 ? LONG.length : at
}

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // The others of a project by Vitest: the longest first by the last run, or the largest.
    const sortedFiles = await super.sort(files)
    return sortedFiles.sort((a, b) => place(a) - place(b) || rank(a) - rank(b))
  }
}
