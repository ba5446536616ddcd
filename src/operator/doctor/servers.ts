// Checks the servers in the settings, with one short question to each, and the service's public address.

import type { Config } from '../../config.ts'
import { type Finding, messageOf } from '../../health/finding.ts'
import { checkBlobs } from '../../ports/blobs/open.ts'
import { openCompany } from '../../ports/company/company.ts'
import { openEmbedder, reasonModelUnused } from '../../ports/embedder/open.ts'
import { openChatModel } from '../../ports/llm/llm.ts'
import { checkMail } from '../../ports/mail/mail.ts'
import { ocrServer } from '../../ports/ocr/ocr-server.ts'
import { getJson } from '../../ports/outbound/outbound.ts'
import { scoreTexts } from '../../ports/rerank/rerank.ts'
import { checkCollector } from '../../ports/trace/otlp.ts'
import { silentLog } from '../output.ts'
import { hasStatus } from './machine.ts'

// A model that the server must first load can take half a minute on a laptop.
const MODEL_MS = 60_000
const RERANK_MS = 20_000
const OCR_MS = 60_000
const COLLECTOR_MS = 10_000
const ADDRESS_MS = 10_000

/** One check for each configured server. */
export const serverChecks = (config: Config): (() => Promise<Finding>)[] => {
  const { blobs, llm, rerank, mail, company, ocrServer, traces } = config
  return [
    () => checkEmbedder(config),
    ...(blobs ? [() => checkBucket(blobs)] : []),
    ...(llm ? [() => checkLlm(llm)] : []),
    ...(rerank ? [() => checkReranker(rerank)] : []),
    ...(ocrServer ? [() => checkOcr(ocrServer)] : []),
    ...(mail
      ? [
          () =>
            checkSetting('mail', 'KENNING_SMTP_URL', () =>
              checkMail(mail.url, mail.from).then(() => hostAnswers(mail.url)),
            ),
        ]
      : []),
    ...(company
      ? [
          () =>
            checkSetting('company sign-in', 'KENNING_OIDC_ISSUER', () =>
              checkProvider(company, config.siteUrl),
            ),
        ]
      : []),
    ...(traces
      ? [
          () =>
            checkSetting('traces', 'OTEL_EXPORTER_OTLP_ENDPOINT and OTEL_EXPORTER_OTLP_HEADERS', () =>
              checkCollector(traces, COLLECTOR_MS).then(() => hostAnswers(traces.url)),
            ),
        ]
      : []),
  ]
}

/** `ok` with what `ask` resolves to, or a problem with the error that it throws. */
async function checkSetting(check: string, setting: string, ask: () => Promise<string>): Promise<Finding> {
  try {
    return { check, status: 'ok', message: await ask() }
  } catch (error) {
    return { check, status: 'problem', message: `${messageOf(error)}; check ${setting}` }
  }
}

const hostAnswers = (url: string): string => `${new URL(url).host} answers`

const checkEmbedder = (config: Config): Promise<Finding> =>
  checkSetting('embedder', 'KENNING_EMBEDDER', async () => {
    const settings = { ...config.embedder, dataDir: config.dataDir }
    const reasonUnused = reasonModelUnused(settings)
    if (reasonUnused) throw new Error(`the model of KENNING_ONNX_MODEL is not used: ${reasonUnused}`)
    const embedder = openEmbedder(settings, silentLog)
    if (embedder.kind === 'none') return 'none: search by words alone'
    if (embedder.kind === 'builtin') {
      const [vector] = await embedder.model.embed(['ok'], 'query')
      return `${embedder.model.id}: the model of the package, for English ${vector ? '' : '(no vector)'}`.trim()
    }
    const dimensions = await embedder.model.dimensions(AbortSignal.timeout(MODEL_MS))
    return `${embedder.model.id} gives vectors of ${dimensions} numbers`
  })

const checkBucket = (blobs: NonNullable<Config['blobs']>): Promise<Finding> =>
  checkSetting('files', 'KENNING_S3_ENDPOINT, _REGION, _KEY_ID and _SECRET', async () => {
    await checkBlobs(blobs)
    return `can be written, read and deleted in ${blobs.bucket} at ${new URL(blobs.endpoint).host}`
  })

async function checkLlm(llm: NonNullable<Config['llm']>): Promise<Finding> {
  let contextTokens: number | undefined
  const finding = await checkSetting('language model', 'KENNING_LLM_URL, _MODEL and _KEY', async () => {
    const question = {
      system: 'You answer in JSON.',
      user: 'Answer with {"ok":true}.',
      schema: { name: 'ok', schema: OK_SCHEMA },
      maxTokens: 200,
    }
    const signal = AbortSignal.timeout(MODEL_MS)
    const model = openChatModel({ ...llm, timeoutMs: MODEL_MS })
    await model.complete(question, signal)
    contextTokens = (await model.context.window(signal)).tokens
    const context = contextTokens === undefined ? '' : `, with a context of ${contextTokens} tokens`
    return `${llm.model} at ${hostAnswers(llm.url)}${context}`
  })
  if (contextTokens === undefined || contextTokens >= MIN_CONTEXT_TOKENS) return finding
  const advice = `with less than ${MIN_CONTEXT_TOKENS} it reads few passages for an answer; raise it at the server (docs/bring-a-model.md)`
  return { ...finding, status: 'warning', message: `${finding.message}; ${advice}` }
}

// A shorter context has no room for the first passages of a question, the tools and the result of one tool.
const MIN_CONTEXT_TOKENS = 12_000

const OK_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  required: ['ok'],
  properties: { ok: { type: 'boolean' } },
}

const checkReranker = (rerank: NonNullable<Config['rerank']>): Promise<Finding> =>
  checkSetting('reranker', 'KENNING_RERANK_URL, _MODEL and _KEY', async () => {
    await scoreTexts({ ...rerank, timeoutMs: RERANK_MS }, 'tides', ['tides', 'trains'])
    return hostAnswers(rerank.url)
  })

const checkOcr = (server: NonNullable<Config['ocrServer']>): Promise<Finding> =>
  checkSetting('text recognition', 'KENNING_OCR_URL and _KEY', async () => {
    await ocrServer({ ...server, timeoutMs: OCR_MS, attempts: 1 })(WHITE_IMAGE, 'eng')
    return hostAnswers(server.url)
  })

// A white image of 200 by 60 pixels, in which no line of text is read.
const WHITE_IMAGE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAMgAAAA8CAAAAAAGMKpNAAAASElEQVR42u3PAQEAAAgCIP+f1h8FD0iPiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIyNfIAMPMs9M2y9PqAAAAAElFTkSuQmCC',
  'base64',
)

async function checkProvider(company: NonNullable<Config['company']>, siteUrl: string): Promise<string> {
  const host = new URL(company.issuer).host
  await openCompany(company)
    .begin(`${siteUrl}/sign-in/company/return`)
    .catch((error: unknown) => {
      throw new Error(`${host} does not answer as an OpenID provider (${messageOf(error)})`)
    })
  return hostAnswers(company.issuer)
}

/** Checks the public address. Undefined if the address is this machine itself, which needs no name and no proxy. */
export async function checkAddress(
  { siteUrl }: Pick<Config, 'siteUrl'>,
  isRunning: boolean,
): Promise<Finding | undefined> {
  const check = 'public address'
  if (['localhost', '127.0.0.1', '[::1]'].includes(new URL(siteUrl).hostname)) return undefined
  if (!isRunning)
    return { check, status: 'warning', message: `${siteUrl} was not asked: the service is not running here` }
  try {
    const { status, body } = await getJson(`${siteUrl}/healthz`, ADDRESS_MS)
    if (hasStatus(body, 'ok')) return { check, status: 'ok', message: `${siteUrl} answers` }
    const message = `${siteUrl}/healthz does not answer as Kenning (${status}): check the proxy in front and KENNING_BASE_URL`
    return { check, status: 'problem', message }
  } catch (error) {
    const message = `${messageOf(error)} from this machine: check its name, certificate and proxy, and KENNING_BASE_URL`
    return { check, status: 'warning', message }
  }
}
