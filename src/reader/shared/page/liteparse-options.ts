// The options with which liteparse reads the pages of a PDF, and lays out pages of text recognition.

import type { LiteParseConfig } from '@llamaindex/liteparse'

// By default liteparse stops after 1,000 pages without an error.
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
  // `running-lines.ts` removes headers and footers, because it sees the whole document and liteparse only a batch of pages.
  keepHeadersFooters: true,
  extractFormFields: true,
  // The annotations show which pages have notes.
  extractAnnotations: true,
  // Tables are read from the position of each word and the ruling lines.
  emitWordBoxes: true,
  extractVectorGraphics: true,
}
