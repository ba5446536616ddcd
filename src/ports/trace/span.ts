// A span as whatever runs inside it sees it.

/** Of a span. Names, counts and kinds only: never a text of documents, a question, a file's name or a token. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>

export interface Span {
  /** Learned while it runs. */
  set(attributes: Attributes): void
  /** It failed without throwing. @param type such as a status or an error's code; no message */
  fail(type: string): void
}

/** Where nobody collects traces. */
export const NOBODY: Span = { set() {}, fail() {} }
