// Reads the files of rows that the child has written (prepare.ts), in batches for the worker.

import { resolve } from 'node:path'
import { openChildFile } from '../reader/reader.ts'
import { type RowPart, type Rows, rowsFile } from './prepare.ts'
import { linesOf } from './zip.ts'

const BATCH_ROWS = 500
const BATCH_BYTES = 512 * 1024

/** A file of rows does not have the rows that were counted, for example after a power failure. Then all files are written again. */
export class DamagedRowsFile extends Error {
  constructor(part: RowPart) {
    super(`the file of the rows of ${part} is damaged`)
  }
}

export interface PartRows<P extends RowPart> {
  part: P
  /** The number of rows in the part. */
  rowCount: number
}

/**
 * The rows of a part in batches, without the first `skippedRows`. `firstRow` is the index of the batch's first row, from 0.
 * @throws DamagedRowsFile
 */
export async function* batchesOf<P extends RowPart>(
  folder: string,
  { part, rowCount }: PartRows<P>,
  skippedRows = 0,
): AsyncGenerator<{ rows: Rows[P][]; firstRow: number }> {
  const childFolder = resolve(folder)
  const file = await openChildFile(childFolder, rowsFile(childFolder, part))
  let rows: Rows[P][] = []
  let bytes = 0
  let lineNumber = 0
  // The stream closes the file at its end.
  for await (const lines of linesOf(file.createReadStream(), Number.POSITIVE_INFINITY))
    for (const line of lines) {
      if (++lineNumber > rowCount) throw new DamagedRowsFile(part)
      if (lineNumber <= skippedRows) continue
      rows.push(rowOf(part, line))
      bytes += line.length
      if (rows.length < BATCH_ROWS && bytes < BATCH_BYTES) continue
      yield { rows, firstRow: lineNumber - rows.length }
      rows = []
      bytes = 0
    }
  if (lineNumber !== rowCount) throw new DamagedRowsFile(part)
  if (rows.length > 0) yield { rows, firstRow: lineNumber - rows.length }
}

function rowOf<P extends RowPart>(part: P, line: string): Rows[P] {
  try {
    return JSON.parse(line) as Rows[P]
  } catch {
    throw new DamagedRowsFile(part)
  }
}
