// `npm run bench -- [start] [ingest] [search] [fidelity] [--data DIR]`: runs the named benches (all without a name) on the built
// service over HTTP and writes their part of bench/RESULTS.md. Without --data each uses what the project ships.

import { parseArgs } from 'node:util'
import { benchFidelity } from './fidelity.ts'
import { benchIngest } from './ingest.ts'
import { writeSection } from './report.ts'
import { benchSearch } from './search.ts'
import { benchStart } from './start.ts'

const benches = { start: benchStart, ingest: benchIngest, search: benchSearch, fidelity: benchFidelity }
type Name = keyof typeof benches

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { data: { type: 'string' }, runs: { type: 'string', default: '3' } },
})
const named = positionals.filter((name): name is Name => name in benches)
if (named.length < positionals.length) throw new Error(`benches: ${Object.keys(benches).join(', ')}`)

for (const name of named.length ? named : (Object.keys(benches) as Name[])) {
  const section = await benches[name]({ data: values.data, runs: Number(values.runs) })
  await writeSection(name, section)
  process.stdout.write(`${section}\n`)
}
