// The output of an operator's command, and a log that writes nothing.

export interface Output {
  /** To standard output. */
  print(text: string): void
  /** To standard error. */
  complain(text: string): void
}

/** For parts of the service that a command uses: their log would mix with its output. */
export const silentLog = { debug() {}, info() {}, warn() {}, error() {} }
