// Limits of requests, for the service and its clients. This file has no schema, so that the console does not load zod.

/** 100 MB. */
export const MAX_FILE_BYTES = 104_857_600
/** The limit for one request. */
export const MAX_FILES = 20

/** How long the trash keeps what is in it. */
export const TRASH_DAYS = 30
/** How many documents one request moves to the trash or restores. */
export const MAX_TRASH_DOCUMENTS = 100

/** How many documents one request moves to another folder. */
export const MAX_MOVED_DOCUMENTS = 1000
/** How many scopes the move of a folder returns, and its undo takes. */
export const MAX_MOVED_SCOPES = 1000

/** The ids in batches, each for one request that moves documents to the trash or restores them. */
export const trashBatches = (ids: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(ids.length / MAX_TRASH_DOCUMENTS) }, (_, no) =>
    ids.slice(no * MAX_TRASH_DOCUMENTS, (no + 1) * MAX_TRASH_DOCUMENTS),
  )
