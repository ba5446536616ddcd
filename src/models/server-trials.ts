// Tries embedders, rerankers and servers that recognise text. The findings tell the administrator what works, and what to do about
// the rest.

import type { SessionUser } from '../accounts/sessions.sql.ts'
import { requireAdmin } from '../accounts/sessions.ts'
import type { ModelFinding, ModelPart, ModelSet, ModelTrial } from '../contract/models.ts'
import { countEmbedded } from '../embed/progress.sql.ts'
import { invalid } from '../errors.ts'
import type { Deps } from '../ports/deps.ts'
import type { Embedder, EmbeddingModel } from '../ports/embedder/embedder.ts'
import { openKey } from './current.ts'
import { finding, formatDuration, formatSeconds } from './finding.ts'
import { selectModelFor } from './models.sql.ts'
import {
  embeddingModel,
  measureReranking,
  RERANKED_PASSAGES,
  ranksAnswerFirst,
  recogniseSample,
  samplePassages,
  serverFailure,
} from './probes.ts'
import { problemOf } from './problem.ts'
import { completeServer, type NamedServer } from './servers.ts'
import { explain } from './usable.ts'

type TrialDeps = Pick<
  Deps,
  'db' | 'seal' | 'settings' | 'mayConnect' | 'embedder' | 'localEmbedder' | 'reranker'
>

interface Target {
  server: NamedServer
  model: string | undefined
}

// How long a search waits for an embedding or a reranking (ports/embedder/openai.ts, ports/rerank/rerank.ts).
const SEARCH_WAIT_MS = 2000
// The embedded engine adds 200 to 400 rows a second to an HNSW index.
const WRITE_MS_PER_CHUNK = 4
const TEXTS = {
  query: 'How many days of annual leave do I get?',
  near: 'Every employee has 30 days of holiday a year.',
  far: 'The pump is switched off before its filter is cleaned.',
}

/**
 * @param enteredModel null for the local model; undefined for the model in use
 * @throws ApiError 403; 422 without any server
 */
export async function tryEmbeddings(
  deps: TrialDeps,
  admin: SessionUser,
  enteredModel: ModelSet | null | undefined,
  closedSignal: AbortSignal,
): Promise<ModelTrial> {
  requireAdmin(admin)
  const target = enteredModel === null ? undefined : await targetOf(deps, admin, 'embeddings', enteredModel)
  if (target) {
    const { server, model = '' } = target
    const embedder = embeddingModel(deps, server, model)
    const explainFailure = async (error: unknown) => {
      const { message, field } = await explain(deps, server, model, error)
      return finding('answer', 'problem', message, field)
    }
    return tryEmbedder(deps, embedder, explainFailure, closedSignal)
  }
  const embedder = enteredModel === null ? deps.localEmbedder : await deps.embedder()
  if (embedder.kind === 'none')
    return { data: [finding('answer', 'ok', 'Nothing makes embeddings: search goes by words alone.')] }
  const explainFailure = async (error: unknown) =>
    finding('answer', 'problem', problemOf(serverFailure(error), 'embeddings').message)
  return tryEmbedder(deps, embedder.model, explainFailure, closedSignal)
}

async function tryEmbedder(
  deps: TrialDeps,
  model: EmbeddingModel,
  explainFailure: (error: unknown) => Promise<ModelFinding>,
  closedSignal: AbortSignal,
): Promise<ModelTrial> {
  try {
    const dimensions = await model.dimensions(closedSignal)
    const queryStart = performance.now()
    const [query] = await model.embed([TEXTS.query], 'query', closedSignal)
    const queryMs = performance.now() - queryStart
    const [near, far] = await model.embed([TEXTS.near, TEXTS.far], 'passage', closedSignal)
    const passages = samplePassages(model.batch)
    const passagesStart = performance.now()
    await model.embed(passages, 'passage', closedSignal)
    const chunkMs = (performance.now() - passagesStart) / passages.length
    const counts = await countEmbedded(deps.db, model.id)
    const chunks = counts.chunks - counts.embedded
    const refill = { chunks, seconds: Math.ceil((chunks * (chunkMs + WRITE_MS_PER_CHUNK)) / 1000) }
    const name = model.id.replace(/^openai:/, '')
    const data = [
      finding('answer', 'ok', `${name} answers with vectors of ${dimensions} numbers.`),
      meaningFinding(dot(query, near) > dot(query, far)),
      queryMs < SEARCH_WAIT_MS
        ? finding(
            'speed',
            'ok',
            `A question took ${formatSeconds(queryMs)}, ${passages.length} passages ${formatSeconds(chunkMs * passages.length)}.`,
          )
        : finding('speed', 'warning', `A question took ${formatSeconds(queryMs)}. ${TOO_SLOW}`),
      finding('refill', 'ok', refillMessage(refill, interimMessage(await deps.embedder(), model))),
    ]
    return { data, refill }
  } catch (error) {
    closedSignal.throwIfAborted()
    return { data: [await explainFailure(error)] }
  }
}

const TOO_SLOW =
  'A search waits 2 s for it and then goes by words alone: use a smaller model, or keep it loaded (Ollama: OLLAMA_KEEP_ALIVE=-1).'

const meaningFinding = (isNear: boolean): ModelFinding =>
  isNear
    ? finding('meaning', 'ok', 'It puts “annual leave” nearer to “holiday” than to something else.')
    : finding(
        'meaning',
        'warning',
        'It puts “annual leave” nearer to something else than to “holiday”: it may not be made for embeddings. Choose a model such as nomic-embed-text, bge-m3 or text-embedding-3-small.',
      )

/** Tells what searches do until the vectors of this model are complete. The server of a replaced setting gets no more requests. */
function interimMessage(present: Embedder, model: EmbeddingModel): string {
  if (present.kind === 'none' || present.model.id === model.id) return SEARCHES_WITH_VECTORS
  return present.model.id.startsWith('openai:')
    ? 'Searches go by words meanwhile, in each workspace until its new vectors are complete.'
    : SEARCHES_WITH_VECTORS
}

const SEARCHES_WITH_VECTORS =
  'Searches go on meanwhile, in each workspace with its present vectors until its new ones are complete.'

const refillMessage = ({ chunks, seconds }: NonNullable<ModelTrial['refill']>, searches: string): string =>
  chunks === 0
    ? 'There is nothing yet that needs new vectors.'
    : `${chunks === 1 ? '1 passage needs' : `${chunks.toLocaleString('en')} passages need`} new vectors, which takes ${formatDuration(seconds)}. ${searches}`

const dot = (a: Float32Array | undefined, b: Float32Array | undefined): number =>
  a && b ? a.reduce((sum, number, i) => sum + number * (b[i] ?? 0), 0) : 0

/** @throws ApiError 403; 422 without any server */
export async function tryReranker(
  deps: TrialDeps,
  admin: SessionUser,
  enteredModel: ModelSet | undefined,
  closedSignal: AbortSignal,
): Promise<ModelTrial> {
  requireAdmin(admin)
  const target = await targetOf(deps, admin, 'reranker', enteredModel)
  if (!target) return tryConfiguredReranker(deps)
  const { server, model } = target
  const findings = async () => {
    const isOrdered = await ranksAnswerFirst(deps, server, model, closedSignal)
    const ms = await measureReranking(deps, server, model, closedSignal)
    return [
      finding('answer', 'ok', `${model ?? 'Its model'} answers.`),
      orderFinding(isOrdered),
      speedFinding(ms),
    ]
  }
  return withExplainedFailure(deps, target, findings, closedSignal)
}

/** Tries the reranker of the environment. */
async function tryConfiguredReranker({ reranker }: Pick<TrialDeps, 'reranker'>): Promise<ModelTrial> {
  const currentReranker = await reranker()
  if (!currentReranker) throw invalid(['body', 'model'], 'There is no reranker yet: enter one')
  const startedAt = performance.now()
  const scores = await currentReranker.score('tides', samplePassages(RERANKED_PASSAGES))
  const ms = performance.now() - startedAt
  return {
    data: scores
      ? [finding('answer', 'ok', 'It answers.'), speedFinding(ms)]
      : [finding('answer', 'problem', 'It does not answer in time. `kenning doctor` says why.')],
  }
}

const orderFinding = (isOrdered: boolean): ModelFinding =>
  isOrdered
    ? finding('order', 'ok', 'It puts the passage first that answers the question.')
    : finding(
        'order',
        'warning',
        'It puts another passage before the one that answers the question: it may not be made for reranking. Choose a model such as bge-reranker-v2-m3, jina-reranker-v2 or rerank-v3.5.',
      )

const speedFinding = (ms: number): ModelFinding =>
  ms < SEARCH_WAIT_MS
    ? finding('speed', 'ok', `The 50 passages of a search took ${formatSeconds(ms)}.`)
    : finding(
        'speed',
        'warning',
        `The 50 passages of a search took ${formatSeconds(ms)}. A search waits 2 s and then keeps its own order: use a smaller model, or a machine with a graphics card.`,
      )

/** @throws ApiError 403; 422 without any server */
export async function tryOcr(
  deps: TrialDeps,
  admin: SessionUser,
  enteredModel: ModelSet | undefined,
  closedSignal: AbortSignal,
): Promise<ModelTrial> {
  requireAdmin(admin)
  const target = await targetOf(deps, admin, 'ocr', enteredModel)
  if (!target) {
    if (deps.settings.models.ocr)
      return {
        data: [finding('answer', 'ok', 'Set where the service is started; `kenning doctor` tries it.')],
      }
    throw invalid(['body', 'model'], 'There is no server yet: enter one. Tesseract recognises text meanwhile')
  }
  const findings = async () => {
    const startedAt = performance.now()
    const text = await recogniseSample(deps, target.server, closedSignal)
    const ms = performance.now() - startedAt
    return [
      finding('answer', 'ok', 'It answers in the form that Kenning reads.'),
      /harbour\W*4711/i.test(text)
        ? finding('text', 'ok', 'It reads the words of an image.')
        : finding(
            'text',
            'warning',
            'It did not read “HARBOUR 4711” in an image of these words. Look at its log and its model.',
          ),
      finding('speed', 'ok', `One line took ${formatSeconds(ms)}. A page may take up to two minutes.`),
    ]
  }
  return withExplainedFailure(deps, target, findings, closedSignal)
}

/** The server that was entered, otherwise the one of the setting. Undefined if the environment sets it, or nothing does. */
async function targetOf(
  deps: TrialDeps,
  admin: SessionUser,
  part: ModelPart,
  enteredModel: ModelSet | undefined,
): Promise<Target | undefined> {
  if (enteredModel)
    return {
      server: await completeServer(deps, admin, part, enteredModel),
      model: enteredModel.model ?? undefined,
    }
  if (deps.settings.models[part]) return undefined
  const row = await selectModelFor(deps.db, admin.id, part)
  if (!row) return undefined
  const key = openKey(deps.seal, row)
  if ('problem' in key) throw invalid(['body', 'model'], key.problem)
  return { server: { part, url: row.url, key: key.key }, model: row.model ?? undefined }
}

/** Runs the trial. A failure of the server becomes a finding. */
async function withExplainedFailure(
  deps: TrialDeps,
  { server, model }: Target,
  run: () => Promise<ModelFinding[]>,
  closedSignal: AbortSignal,
): Promise<ModelTrial> {
  try {
    return { data: await run() }
  } catch (error) {
    closedSignal.throwIfAborted()
    const { message, field } = await explain(deps, server, model ?? '', error)
    return { data: [finding('answer', 'problem', message, field)] }
  }
}
