// A workspace that does not exist yet, for a dry run of a sync that would create it: nothing is in it, and nothing is written.

import type { Destination } from '../../sync/destination.ts'
import type { FileState } from './state.ts'

const notWritten = (): never => {
  throw new Error('a dry run writes nothing')
}

export const absentDestination: Destination = {
  owned: async () => [],
  current: async () => undefined,
  documentIds: async () => new Set(),
  newestJob: async () => null,
  uploadsSince: async () => [],
  setOwned: async () => notWritten(),
  send: notWritten,
  waitForEnd: async () => notWritten(),
  remove: async () => notWritten(),
}

export const absentState: FileState = {
  files: new Map(),
  intents: new Map(),
  since: null,
  rememberSending: async () => notWritten(),
  remember: async () => notWritten(),
  forget: async () => notWritten(),
  clearSending: async () => notWritten(),
  close: async () => {},
}
