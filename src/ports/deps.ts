// Everything a room may be given. A room function asks for a Pick of it, so its signature confesses its powers.

import type { Blobs } from './blobs/blobs.ts'
import type { Db } from './db/db.ts'

/** Structured logs; never document text, tokens or file contents. */
export interface Log {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** The settings rooms need, as data (src/config.ts reads them from the environment). */
export interface Settings {
  /** Origin and exactly `/v1`, without a trailing slash. */
  baseUrl: string
  /** The origin of `baseUrl`: the issuer, and what `/session` and `/oauth` are relative to. */
  origin: string
  askPerHour: number
  dataDir: string
  signup: 'closed' | 'open'
}

export interface Deps {
  db: Db
  blobs: Blobs
  log: Log
  settings: Settings
  /** 32 random bytes of this installation, from the database: signs cursors (permissions.md D-17). */
  cursorKey: Buffer
}
