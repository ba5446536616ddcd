// The options with which liteparse reads the pages of a PDF and lays out recognised ones.

import type { LiteParseConfig } from '@llamaindex/liteparse'

// Without this liteparse stops silently after 1,000 pages.
const MAX_PAGES = 1_000_000

/** The options for all pages of a document. */
export const liteparseOptions: Partial<LiteParseConfig> = {
  ocrEnabled: false,
  extractBlocks: true,
  maxPages: MAX_PAGES,
  continueOnPageError: true,
  quiet: true,
  imageMode: 'off',
  extractLinks: false,
  // Our own code removes headers and footers, over the whole document instead of a batch (`running-lines.ts`).
  keepHeadersFooters: true,
  extractFormFields: true,
  // The annotations show which pages have notes.
  extractAnnotations: true,
  // Tables are read from the position of each word and the ruling lines.
  emitWordBoxes: true,
  extractVectorGraphics: true,
}
