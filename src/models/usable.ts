// Whether a server answers with a model, before it is set: one short request.

import type { ModelProblem } from '../contract/models.ts'
import { invalid } from '../errors.ts'
import type { Deps } from '../ports/deps.ts'
import { embeddingModel, ordersResults, recognisedText, requireAnswer, serverFailure } from './probes.ts'
import { isSameModel, problemWith } from './problem.ts'
import { modelsOf, type NamedServer } from './servers.ts'

/** Marks the refusal that `unchecked` does without. */
export const UNUSABLE = 'model_unusable'

/** The dimensions of embeddings. @throws ApiError 422 that says which field is wrong, and what to do */
export async function requireUsable(
  deps: Pick<Deps, 'mayConnect'>,
  server: NamedServer,
  model: string | null,
): Promise<{ dimensions?: number }> {
  const result = await use(deps, server, model)
  if (!('message' in result)) return result
  throw invalid(['body', ...(result.field ? [result.field] : [])], result.message, UNUSABLE)
}

async function use(
  deps: Pick<Deps, 'mayConnect'>,
  server: NamedServer,
  model: string | null,
): Promise<{ dimensions?: number } | ModelProblem> {
  const name = model ?? ''
  const { part } = server
  try {
    switch (part) {
      case 'language':
        return await listedOrAnswering(deps, server, name)
      case 'embeddings':
        return { dimensions: await embeddingModel(deps, server, name).dimensions() }
      case 'reranker':
        await ordersResults(deps, server, model ?? undefined)
        return {}
      case 'ocr':
        await recognisedText(deps, server)
        return {}
    }
  } catch (error) {
    return explain(deps, server, name, error)
  }
}

/** A model of the server's list need not be loaded for it; one that is not there may still answer, as an alias does. */
async function listedOrAnswering(
  deps: Pick<Deps, 'mayConnect'>,
  server: NamedServer,
  model: string,
): Promise<Record<string, never> | ModelProblem> {
  const { data, problem } = await modelsOf(deps, server)
  if (data.some(({ id }) => isSameModel(id, model))) return {}
  if (problem?.field) return problem
  await requireAnswer(deps, server, { model, contextTokens: undefined })
  return {}
}

/** @throws what is no failure of the server */
export const explain = (
  deps: Pick<Deps, 'mayConnect'>,
  server: NamedServer,
  model: string,
  error: unknown,
): Promise<ModelProblem> =>
  problemWith(serverFailure(error), {
    part: server.part,
    model,
    names: async () => (server.part === 'ocr' ? [] : (await modelsOf(deps, server)).data.map(({ id }) => id)),
  })
