// The queries of the page of models, and the trial as a sequence of requests, so that each result is seen as it comes.

import { queryOptions } from '@tanstack/react-query'
import type {
  LanguageModelSet,
  LocalServer,
  ModelCheck,
  ModelFinding,
  ModelServer,
  ModelSettings,
  ServerModels,
} from '../../../src/contract/models.ts'
import { account } from '../session.ts'

export const modelsQuery = queryOptions({
  queryKey: ['account', 'models'],
  queryFn: () => account<ModelSettings>('GET', '/models'),
})

export const localServersQuery = queryOptions({
  queryKey: ['account', 'models', 'local'],
  queryFn: async () => (await account<{ data: LocalServer[] }>('GET', '/models/local')).data,
})

/** @param server undefined until an address was entered */
export const serverModelsQuery = (server: ModelServer | undefined) =>
  queryOptions({
    queryKey: ['account', 'models', 'of', server?.url, server?.key],
    queryFn: () => account<ServerModels>('POST', '/models/language/list', server),
    enabled: server !== undefined,
    retry: false,
    // With another key, what the server said before stays until it says something else, so that nothing jumps.
    placeholderData: (before, query) => (query?.queryKey[3] === server?.url ? before : undefined),
    // It holds the key that was entered.
    gcTime: 0,
  })

export const setModel = (model: LanguageModelSet): Promise<ModelSettings> =>
  account<ModelSettings>('PUT', '/models/language', model)

export const clearModel = (): Promise<void> => account('DELETE', '/models/language')

const CHECKS: readonly ModelCheck[] = ['tools', 'context', 'structure']

/** Yields the check that begins, or what it found. @param model undefined for the one that serves */
export async function* tryModel(
  model: LanguageModelSet | undefined,
): AsyncGenerator<{ running: ModelCheck } | { findings: ModelFinding[] }> {
  for (const check of CHECKS) {
    yield { running: check }
    const { data } = await account<{ data: ModelFinding[] }>('POST', '/models/language/try', {
      ...(model && { model }),
      check,
    })
    yield { findings: data }
    if (data.some((finding) => finding.check === 'answer' && finding.outcome === 'problem')) return
  }
}
