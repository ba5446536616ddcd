// Reads a source in a child, as a worker does, until somebody kills it. Argument: the source, as JSON.

import { DEFAULT_LIMITS, sourceInChild } from '../../src/sources/source-process.ts'

const [, , spec = ''] = process.argv
const source = sourceInChild(JSON.parse(spec), 'notes', { limits: DEFAULT_LIMITS }, { warn: console.warn })
await source.list(new AbortController().signal)
