// The order of test files: projects of long files first, so that at the end of a run short ones keep every worker busy. The
// files of a project follow each other, since a worker that changes to another one is started anew.

import { BaseSequencer, type TestSpecification } from 'vitest/node'

const ORDER = ['browser', 'e2e', 'api-isolated', 'api', 'postgres-isolated', 'postgres', 'unit']
const place = ({ project }: TestSpecification): number => ORDER.indexOf(project.name)

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // In a project by Vitest: the longest first by the last run, or the largest.
    const sorted = await super.sort(files)
    return sorted.sort((a, b) => place(a) - place(b))
  }
}
