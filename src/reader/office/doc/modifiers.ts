// Single property modifiers of paragraphs, runs and tables in old Word files.

/** Walks single property modifiers; their size follows from three bits of their code ([MS-DOC] 2.6.1). */
export function eachModifier(
  bytes: Buffer,
  from: number,
  visit: (code: number, at: number, size: number) => void,
): void {
  let at = from
  while (at + 2 < bytes.length) {
    const code = bytes.readUInt16LE(at)
    at += 2
    const fixed = [1, 1, 2, 4, 2, 2, undefined, 3][code >> 13]
    // The definition of a table's row says its length in two bytes, everything else in one.
    const long = code === 0xd608 && at + 2 <= bytes.length
    const size = fixed ?? (long ? bytes.readUInt16LE(at) + 1 : (bytes[at] ?? 0) + 1)
    if (at + size > bytes.length) return
    visit(code, at, size)
    at += size
  }
}

/** 1 to 9, 0 for body text. */
export const outlineOf = (byte: number): number => (byte < 9 ? byte + 1 : 0)
