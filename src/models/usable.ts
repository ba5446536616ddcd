// Before a model is set, one short request checks that its server answers.

import type { ModelProblem } from '../contract/models.ts'
import { invalid } from '../errors.ts'
import type { Deps } from '../ports/deps.ts'
import { embeddingModel, ranksAnswerFirst, recogniseSample, requireAnswer, serverFailure } from './probes.ts'
import { isSameModel, problemWith } from './problem.ts'
import { modelsOf, type NamedServer } from './servers.ts'

/** The code of the refusal. With `unchecked` the model is set without this check. */
export const UNUSABLE = 'model_unusable'

/** Returns the number of dimensions of an embedding model. @throws ApiError 422 that names the wrong field and the remedy */
export async function requireUsable(
  deps: Pick<Deps, 'mayConnect'>,
  server: NamedServer,
  model: string | null,
): Promise<{ dimensions?: number }> {
  const result = await tryRequest(deps, server, model)
  if (!('message' in result)) return result
  throw invalid(['body', ...(result.field ? [result.field] : [])], result.message, UNUSABLE)
}

async function tryRequest(
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
        await ranksAnswerFirst(deps, server, model ?? undefined)
        return {}
      case 'ocr':
        await recogniseSample(deps, server)
        return {}
    }
  } catch (error) {
    return explain(deps, server, name, error)
  }
}

/**
 * No request is sent to a listed model, since it would load the model. A model that is not listed may still answer, as an alias
 * does.
 */
async function problemOfLanguageModel(
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
