// The error that ends an evaluation, for the person who started it.

export class EvaluationFailed extends Error {
  /** 1: it failed; 2: the command or the set is wrong, so running it again does not help. */
  readonly exitCode: 1 | 2
  constructor(message: string, exitCode: 1 | 2 = 1) {
    super(message)
    this.name = 'EvaluationFailed'
    this.exitCode = exitCode
  }
}

export const wrongSet = (message: string): EvaluationFailed => new EvaluationFailed(message, 2)
