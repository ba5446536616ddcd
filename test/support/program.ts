// The programs of this folder that tests start as processes of their own.

import { siblingModule } from '../../src/processes/module.ts'

/** The module of a program, in the build that tests start their children from. */
export const program = (name: string): URL => siblingModule(`./${name}`, import.meta.url)
