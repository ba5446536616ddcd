import type { Catalogue } from '../../../src/messages/messages.ts'

export const de: Catalogue = {}
