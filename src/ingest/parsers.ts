// The parsers of a worker where what they recognise text with may change while it runs: each setting has parsers of its own. Files
// that are being read keep theirs, and parsers without work have no processes, so all are closed at the end only.

import type { ParserPool } from '../reader/reader.ts'

export interface Parsers {
  parser: ParserPool
  /** Of the fairness slots. */
  fairnessParser: ParserPool
}

interface ChangingParsers {
  /** Those of the setting that holds now. */
  current(): Promise<Parsers>
  close(): Promise<void>
}

/** @param setting the same object as long as nothing changed */
export function openParsers<Setting extends object>(
  setting: () => Promise<Setting | undefined>,
  open: (setting: Setting | undefined) => Parsers,
): ChangingParsers {
  const opened = new Map<Setting | undefined, Parsers>()
  return {
    current: async () => {
      const now = await setting()
      const parsers = opened.get(now) ?? open(now)
      opened.set(now, parsers)
      return parsers
    },
    close: async () => {
      for (const { parser, fairnessParser } of opened.values()) {
        await parser.close()
        await fairnessParser.close()
      }
    },
  }
}
