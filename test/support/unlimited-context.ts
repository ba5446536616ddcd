import type { Context } from '../../src/ports/llm/context-window.ts'

/** For a model whose context is not limited. */
export const unlimitedContext: Context = {
  window: async () => ({ tokens: undefined, density: 1, drops: false }),
  limit() {},
  suspect: () => false,
  learn() {},
}
