// The output of an operator's command.

export interface Output {
  /** To standard output. */
  print(text: string): void
  /** To standard error. */
  complain(text: string): void
}
