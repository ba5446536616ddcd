// Limits of an upload, which the service keeps and its clients observe. Without a schema, so that the console stays small.

/** 100 MB. */
export const MAX_FILE_BYTES = 104_857_600
/** Of one request. */
export const MAX_FILES = 20
