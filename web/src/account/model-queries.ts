// The queries of the page of models, and the trial as a sequence of requests, so that each result is seen as it comes.

import { queryOptions } from '@tanstack/react-query'
import type {
  GraphBudget,
  LocalServer,
  ModelCheck,
  ModelFinding,
  ModelPart,
  ModelServer,
  ModelSet,
  ModelSettings,
  ModelTrial,
  ServerModels,
  TrialUse,
} from '../../../src/contract/models.ts'
import { account } from '../session.ts'

// Each look counts the passages of all workspaces.
const REFILL_POLL_MS = 30_000

export const modelsQuery = queryOptions({
  queryKey: ['account', 'models'],
  queryFn: () => account<ModelSettings>('GET', '/models'),
  // While passages get new vectors, the page says how far that is.
  refetchInterval: ({ state: { data } }) => (data && isRefilling(data) ? REFILL_POLL_MS : false),
})

export const isRefilling = ({ embeddings: { chunks, embedded } }: ModelSettings): boolean => embedded < chunks

export const localServersQuery = queryOptions({
  queryKey: ['account', 'models', 'local'],
  queryFn: async () => (await account<{ data: LocalServer[] }>('GET', '/models/local')).data,
})

/** @param server undefined until an address was entered */
export const serverModelsQuery = (part: ModelPart, server: ModelServer | undefined) =>
  queryOptions({
    queryKey: ['account', 'models', 'of', part, server?.url, server?.key],
    queryFn: () => account<ServerModels>('POST', `/models/${part}/list`, server),
    enabled: server !== undefined,
    retry: false,
    // With another key, what the server said before stays until it says something else, so that nothing jumps.
    placeholderData: (before, query) => (query?.queryKey[4] === server?.url ? before : undefined),
    // It holds the key that was entered.
    gcTime: 0,
  })

export const setModel = (part: ModelPart, model: ModelSet): Promise<ModelSettings> =>
  account<ModelSettings>('PUT', `/models/${part}`, model)

export const clearModel = (part: ModelPart): Promise<void> => account('DELETE', `/models/${part}`)

export const setGraphBudget = (tokens: number): Promise<GraphBudget> =>
  account<GraphBudget>('PUT', '/models/graph', { tokens })

export const clearGraphBudget = (): Promise<void> => account('DELETE', '/models/graph')

/** How long passages take to get the vectors of the model on the machine itself. */
export const localRefillQuery = queryOptions({
  queryKey: ['account', 'models', 'local refill'],
  queryFn: () => account<ModelTrial>('POST', '/models/embeddings/try', { model: null }),
  gcTime: 0,
})

const CHECKS: readonly ModelCheck[] = ['tools', 'context', 'structure']

/** Yields the check that begins, or what it found. @param model undefined for the one that serves */
export async function* tryModel(
  part: ModelPart,
  model: ModelSet | undefined,
): AsyncGenerator<{ running: ModelCheck | 'all' } | { findings: ModelFinding[]; uses: TrialUse[] }> {
  for (const check of part === 'language' ? CHECKS : [undefined]) {
    yield { running: check ?? 'all' }
    const { data, used } = await account<ModelTrial>('POST', `/models/${part}/try`, {
      ...(model && { model }),
      ...(check && { check }),
    })
    yield { findings: data, uses: used ? [used] : [] }
    if (data.some((finding) => finding.check === 'answer' && finding.outcome === 'problem')) return
  }
}
