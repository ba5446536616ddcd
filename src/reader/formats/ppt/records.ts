// Reads the records of an old PowerPoint file ([MS-PPT] 2.3): a header of eight bytes, then data or further records.

export interface PptRecord {
  type: number
  instance: number
  data: Buffer
}

export const recordTypes = {
  document: 1000,
  slide: 1006,
  notes: 1008,
  notesAtom: 1009,
  slidePersist: 1011,
  slideShowInfo: 1017,
  drawing: 1036,
  placeholder: 3011,
  outlineText: 3998,
  textHeader: 3999,
  textChars: 4000,
  textStyle: 4001,
  textBytes: 4008,
  string: 4026,
  slideNumber: 4056,
  slideList: 4080,
  userEdit: 4085,
  footer: 4090,
  binaryTags: 5000,
  binaryTag: 5002,
  binaryTagData: 5003,
  persistDirectory: 6002,
  comment: 12_000,
  officeDrawing: 0xf002,
  group: 0xf003,
  shape: 0xf004,
  clientTextbox: 0xf00d,
  childAnchor: 0xf00f,
  clientAnchor: 0xf010,
  clientData: 0xf011,
  moreProperties: 0xf122,
} as const

const HEAD_BYTES = 8

/** The record at an offset. Undefined if the offset is outside the bytes. */
export function recordAt(bytes: Buffer, offset: number): PptRecord | undefined {
  if (offset < 0 || offset + HEAD_BYTES > bytes.length) return undefined
  const end = offset + HEAD_BYTES + bytes.readUInt32LE(offset + 4)
  // In a truncated file the data of the last record ends early.
  return {
    instance: bytes.readUInt16LE(offset) >> 4,
    type: bytes.readUInt16LE(offset + 2),
    data: bytes.subarray(offset + HEAD_BYTES, end),
  }
}

/** The sequence of records in the bytes. */
export function recordsOf(bytes: Buffer): PptRecord[] {
  const records: PptRecord[] = []
  for (let at = 0; ; ) {
    const record = recordAt(bytes, at)
    if (record === undefined) return records
    records.push(record)
    at += HEAD_BYTES + bytes.readUInt32LE(at + 4)
  }
}

/** The record at the end of a path of types. At each step the first record of the type is taken. */
export function recordInside(bytes: Buffer, ...path: readonly number[]): PptRecord | undefined {
  let record: PptRecord | undefined
  let data = bytes
  for (const type of path) {
    record = recordsOf(data).find((record) => record.type === type)
    if (record === undefined) return undefined
    data = record.data
  }
  return record
}
