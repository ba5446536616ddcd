// The parsers of a worker. The setting of text recognition may change while the worker runs, and each setting has its own parsers.
// A file that is being read keeps its parser. Parsers without work have no processes, so they are closed only at the end.

import type { ParserPool } from '../reader/reader.ts'

export interface Parsers {
  parser: ParserPool
  /** The parser of the fairness slots. */
  fairnessParser: ParserPool
}

interface ChangingParsers {
  /** The parsers of the current setting. */
  current(): Promise<Parsers>
  close(): Promise<void>
}

/** @param setting returns the same object as long as the setting does not change */
export function openParsers<Setting extends object>(
  setting: () => Promise<Setting | undefined>,
  open: (setting: Setting | undefined) => Parsers,
): ChangingParsers {
  const parsersBySetting = new Map<Setting | undefined, Parsers>()
  return {
    current: async () => {
      const currentSetting = await setting()
      const parsers = parsersBySetting.get(currentSetting) ?? open(currentSetting)
      parsersBySetting.set(currentSetting, parsers)
      return parsers
    },
    close: async () => {
      for (const { parser, fairnessParser } of parsersBySetting.values()) {
        await parser.close()
        await fairnessParser.close()
      }
    },
  }
}
