// The interface of a span for the code that runs in it.

/** Attributes of a span: names, counts and kinds only. Never a text of documents, a question, a file's name or a token. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>

export interface Span {
  /** Adds attributes. */
  set(attributes: Attributes): void
  /** Marks the span as failed although nothing was thrown. @param type a status or an error's code, never a message */
  fail(type: string): void
}

/** Used if no traces are collected. */
export const NO_SPAN: Span = { set() {}, fail() {} }
