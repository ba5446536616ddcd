// A failure of the demo, shown as one sentence without a stack.

export class DemoFailure extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'DemoFailure'
  }
}
