// What a sync fails with: a sentence for the person who set it up, that says what is wrong and what to do.

export class SyncFailed extends Error {
  readonly type: 'failed' | 'not_found' | 'empty' | 'too_large' | 'stopped'
  constructor(message: string, type: SyncFailed['type'] = 'failed') {
    super(message)
    this.name = 'SyncFailed'
    this.type = type
  }
}

/** Nothing more can be read, whatever is asked for. */
export const isFinal = (error: unknown): boolean =>
  error instanceof SyncFailed && (error.type === 'too_large' || error.type === 'stopped')

export const nothingThere = (message: string): SyncFailed => new SyncFailed(message, 'not_found')
