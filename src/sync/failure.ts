// The error of a sync. Its message tells the person who set up the sync what is wrong and what to do.

export class SyncFailed extends Error {
  readonly type: 'failed' | 'not_found' | 'empty' | 'too_large' | 'stopped'
  constructor(message: string, type: SyncFailed['type'] = 'failed') {
    super(message)
    this.name = 'SyncFailed'
    this.type = type
  }
}

/** Whether nothing more can be read from the source after this error. */
export const isFinal = (error: unknown): boolean =>
  error instanceof SyncFailed && (error.type === 'too_large' || error.type === 'stopped')

export const notFoundFailure = (message: string): SyncFailed => new SyncFailed(message, 'not_found')
