// The destination and the state for the dry run of a sync that would create its workspace. Both are empty and cannot be written.

import type { Destination } from '../../sync/destination.ts'
import type { FileState } from './state.ts'

const rejectWrite = (): never => {
  throw new Error('a dry run writes nothing')
}

export const emptyDestination: Destination = {
  listOwned: async () => [],
  getDocument: async () => undefined,
  listDocumentIds: async () => new Set(),
  newestJob: async () => null,
  uploadsSince: async () => [],
  setOwned: async () => rejectWrite(),
  send: rejectWrite,
  waitForEnd: async () => rejectWrite(),
  remove: async () => rejectWrite(),
}

export const emptyState: FileState = {
  files: new Map(),
  intents: new Map(),
  since: null,
  rememberSending: async () => rejectWrite(),
  remember: async () => rejectWrite(),
  forget: async () => rejectWrite(),
  clearSending: async () => rejectWrite(),
  close: async () => {},
}
