// Where an operator's command writes.

export interface Output {
  /** To standard output. */
  print(text: string): void
  /** To standard error. */
  complain(text: string): void
}
