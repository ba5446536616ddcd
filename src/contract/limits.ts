// Limits of an upload, for the service and its clients. This file has no schema, so that the console does not load zod.

/** 100 MB. */
export const MAX_FILE_BYTES = 104_857_600
/** The limit for one request. */
export const MAX_FILES = 20
