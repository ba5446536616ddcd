// Before a model is set, short requests check that its server answers, and that a language model is in its list or answers.

import type { ModelProblem } from '../contract/models.ts'
import { invalid } from '../errors.ts'
import type { Deps } from '../ports/deps.ts'
import { embeddingModel, ranksAnswerFirst, recogniseSample, requireAnswer, serverFailure } from './probes.ts'
import { isSameModel, problemWith } from './problem.ts'
import { modelsOf, type NamedServer } from './servers.ts'

/** The error type of a model whose check failed. A request with `unchecked: true` sets the model without the check. */
const MODEL_UNUSABLE = 'model_unusable'

/**
 * Checks that the server works for this model. For an embedding model it also returns the number of dimensions.
 * @throws ApiError 422 that names the wrong field and the remedy
 */
export async function requireUsable(
  deps: Pick<Deps, 'mayConnect'>,
  server: NamedServer,
  model: string | null,
): Promise<{ dimensions?: number }> {
  const result = await checkModel(deps, server, model)
  if (!('message' in result)) return result
  throw invalid(['body', ...(result.field ? [result.field] : [])], result.message, MODEL_UNUSABLE)
}

async function checkModel(
  deps: Pick<Deps, 'mayConnect'>,
  server: NamedServer,
  model: string | null,
): Promise<{ dimensions?: number } | ModelProblem> {
  const name = model ?? ''
  const { part } = server
  try {
    switch (part) {
      case 'language':
        return await problemOfLanguageModel(deps, server, name)
      case 'embeddings':
        return { dimensions: await embeddingModel(deps, server, name).dimensions() }
      case 'reranker':
        // A wrong order is no reason to refuse the model. Only a failed request is.
        await ranksAnswerFirst(deps, server, model ?? undefined)
        return {}
      case 'ocr':
        // Nor is a wrong text.
        await recogniseSample(deps, server)
        return {}
    }
  } catch (error) {
    return explain(deps, server, name, error)
  }
}

/**
 * A model in the server's list is not asked, because a request would load it. A model that is not in the list is asked, because it
 * may be an alias, which the list lacks.
 */
async function problemOfLanguageModel(
  deps: Pick<Deps, 'mayConnect'>,
  server: NamedServer,
  model: string,
): Promise<Record<string, never> | ModelProblem> {
  const { data, problem } = await modelsOf(deps, server)
  if (data.some(({ id }) => isSameModel(id, model))) return {}
  // A wrong address or key is final. Another problem, such as a server without a list, does not show whether the model answers.
  if (problem?.field) return problem
  await requireAnswer(deps, server, { model, contextTokens: undefined })
  return {}
}

/** Explains a failure of the server. @throws any other error */
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
