// A process that supervises a `moody-child` (arguments: its mood and diary), tells its pid, and lives until it is killed.

import { superviseChild } from '../../src/processes/child.ts'
import { testLog } from './database.ts'
import { program } from './program.ts'

const [mood = '', diary = ''] = process.argv.slice(2)
const spec = { name: mood, module: program('moody-child'), args: [mood, diary] }
const child = await superviseChild(spec, testLog)
process.send?.({ pid: child.pid() })
