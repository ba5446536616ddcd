// Reads Rich Text Format files (.rtf) in a stream.

import { createReadStream } from 'node:fs'
import type { Backend } from '../../backend.ts'
import { readRtf } from '../../shared/rtf/rtf.ts'
import type { Parser } from '../../task.ts'

const PIECE_BYTES = 1 << 20

/** The blocks of an RTF file. */
const parseRtf: Parser = ({ path }) =>
  readRtf(createReadStream(path, { highWaterMark: PIECE_BYTES }) as AsyncIterable<Buffer>)

export const rtf: Backend = { parse: parseRtf }
