// `kenning models` shows and sets the models of the service, for administrators. It needs the password, so that no program with a
// token can decide where questions and passages are sent.

import { readFile } from 'node:fs/promises'
import { MODEL_PARTS, PRESETS } from '../../contract/model-presets.ts'
import type {
  GraphBudget,
  LocalServer,
  ModelCheck,
  ModelFinding,
  ModelPart,
  ModelServer,
  ModelSet,
  ModelSetting,
  ModelSettings,
  ModelTrial,
  ServerModels,
  TrialUse,
} from '../../contract/models.ts'
import { type Context, isConfirmed } from '../context.ts'
import { CommandFailed, wrongUse } from '../failure.ts'
import { type Account, type AccountOptions, asAccount } from '../login/account.ts'
import { safe } from '../terminal.ts'

interface ServerOptions extends AccountOptions {
  for: ModelPart
  provider?: string
  url?: string
  keyFile?: string
  context?: string
  unchecked?: boolean
  yes?: boolean
}

const PAGE = { path: '/models', task: 'choose the model' }
const CHECKS: readonly ModelCheck[] = ['tools', 'context', 'structure']

/** What each part does, and what happens without it. */
const TEXTS: Readonly<Record<ModelPart, { does: string; without: string }>> = {
  language: {
    does: 'answers questions',
    without: 'No language model: questions are answered with quotations.',
  },
  embeddings: {
    does: 'finds passages by their meaning',
    without: 'No embeddings server: passages are found with the model on the machine of the service.',
  },
  reranker: { does: 'orders results', without: 'No reranker: searches keep their own order.' },
  ocr: { does: 'reads scans and pictures', without: 'No OCR server: Tesseract reads scans and pictures.' },
}

/** Prints the models in use. Without a language model it also prints the model servers on the service's machine. */
export const showModels = (context: Context, options: AccountOptions): Promise<void> =>
  asAccount(context, options, PAGE, async (account) => {
    const settings = await account<ModelSettings>('GET', '/account/models')
    if (options.json) {
      context.printJson(settings)
      return
    }
    for (const part of MODEL_PARTS) {
      context.terminal.print(descriptionOf(part, settings[part]))
      const { problem } = settings[part]
      if (problem) context.terminal.note(problem)
    }
    const { chunks, embedded } = settings.embeddings
    if (embedded < chunks)
      context.terminal.note(`${embedded} of ${chunks} passages have vectors of the present model.`)
    context.terminal.print(budgetDescription(settings.graph))
    if (settings.language.source !== 'none') return
    const { data } = await account<{ data: LocalServer[] }>('GET', '/account/models/local')
    for (const { name, url } of data)
      context.terminal.note(`${name} answers on the machine of the service: kenning models list --url ${url}`)
  })

function descriptionOf(part: ModelPart, { source, model, url }: ModelSetting): string {
  const { does, without } = TEXTS[part]
  if (source === 'none') return without
  const sourceNote = source === 'environment' ? ', set where the service is started' : ''
  const name = url ? `${model ?? 'A server'} at ${url}` : (model ?? 'Nothing')
  return `${safe(name)} ${does}${sourceNote}.`
}

function budgetDescription({ source, tokens, spent }: GraphBudget): string {
  if (tokens === 0) return 'No budget: the graph is built without the language model.'
  const sourceNote = source === 'environment' ? ', set where the service is started' : ''
  return `The graph of a workspace may use ${tokens} tokens of the language model${sourceNote}; all together used ${spent}.`
}

/** Prints the models that a server lists. */
export const listModels = (context: Context, options: ServerOptions): Promise<void> =>
  asAccount(context, options, PAGE, async (account) => {
    const server = await serverOf(account, options)
    const list = await account<ServerModels>('POST', `/account/models/${options.for}/list`, server)
    if (options.json) context.printJson(list)
    else for (const { id } of list.data) context.terminal.print(safe(id))
    if (list.problem) throw new CommandFailed(list.problem.message)
  })

export const setModel = (
  context: Context,
  model: string | undefined,
  options: ServerOptions,
): Promise<void> =>
  asAccount(context, options, PAGE, async (account) => {
    const part = options.for
    const body = await settingOf(account, model, options)
    if (part === 'embeddings' && !(await confirmRefill(context, account, body, options))) return
    const settings = await account<ModelSettings>('PUT', `/account/models/${part}`, body).catch(
      hintAtUnchecked,
    )
    if (options.json) context.printJson(settings)
    else context.terminal.print(descriptionOf(part, settings[part]))
  })

/** Mentions --unchecked in the error, because a model may be right although its server does not answer yet. */
function hintAtUnchecked(error: unknown): never {
  if (!(error instanceof CommandFailed) || error.reason !== 'model_unusable') throw error
  throw new CommandFailed(
    `${error.message} To set it all the same, add --unchecked.`,
    error.exitCode,
    error.type,
  )
}

/**
 * Prints how long it takes until all passages have new vectors, and asks whether to begin.
 * @param model null for the local model
 */
async function confirmRefill(
  context: Context,
  account: Account,
  model: ModelSet | null,
  { yes, unchecked, json }: ServerOptions,
): Promise<boolean> {
  if (unchecked && yes) return true
  const { data, refill } = await account<ModelTrial>('POST', '/account/models/embeddings/try', { model })
  const problem = data.find(isFatal)
  if (problem && !unchecked)
    throw new CommandFailed(`${problem.message} To set it all the same, add --unchecked.`)
  const message = data.find(({ check }) => check === 'refill')?.message
  if (message && !json) context.terminal.note(message)
  const refusal = 'All passages get new vectors. Add --yes to do it.'
  return isConfirmed(context, yes || refill?.chunks === 0, { question: 'Begin?', refusal })
}

export const clearModel = (context: Context, options: ServerOptions): Promise<void> =>
  asAccount(context, options, PAGE, async (account) => {
    const part = options.for
    if (part === 'embeddings' && !(await confirmRefill(context, account, null, options))) return
    await account('DELETE', `/account/models/${part}`)
    context.terminal.note(`Removed. ${TEXTS[part].without}`)
  })

/** Tries the current model or a named one, and prints one line for each finding. */
export const tryModel = (
  context: Context,
  model: string | undefined,
  options: ServerOptions,
): Promise<void> =>
  asAccount(context, options, PAGE, async (account) => {
    const hasTarget = model !== undefined || options.url !== undefined || options.provider !== undefined
    const setting = hasTarget ? { model: await settingOf(account, model, options) } : {}
    const findings: ModelFinding[] = []
    const uses: TrialUse[] = []
    for (const check of options.for === 'language' ? CHECKS : [undefined]) {
      const body = { ...setting, ...(check && { check }) }
      const { data, used } = await account<ModelTrial>('POST', `/account/models/${options.for}/try`, body)
      findings.push(...data)
      if (used) uses.push(used)
      if (!options.json)
        for (const finding of data)
          context.terminal.print(
            `${finding.outcome.padEnd(9)}${finding.check.padEnd(11)}${safe(finding.message)}`,
          )
      if (data.some(isFatal)) break
    }
    if (options.json) context.printJson({ data: findings, used: uses })
    else if (uses.length > 0) context.terminal.note(tokensText(uses))
    if (findings.some(isFatal)) throw new CommandFailed('The model cannot be used as it is.')
  })

function tokensText(uses: readonly TrialUse[]): string {
  const sum = (pick: (use: TrialUse) => number): number => uses.reduce((total, use) => total + pick(use), 0)
  const [prompt, answer] = [sum((use) => use.prompt_tokens), sum((use) => use.answer_tokens)]
  const tokens = `The trial took ${prompt.toLocaleString('en')} tokens read and ${answer.toLocaleString('en')} written`
  const currency = uses.find((use) => use.cost !== null)?.currency
  return currency ? `${tokens}, ${sum((use) => use.cost ?? 0).toFixed(4)} ${currency}.` : `${tokens}.`
}

const isFatal = ({ outcome }: ModelFinding): boolean => outcome === 'problem'

/** How many tokens of the language model the graph of a workspace may use. */
export const setBudget = (context: Context, tokens: string, options: AccountOptions): Promise<void> =>
  asAccount(context, options, PAGE, async (account) => {
    if (!/^\d{1,13}$/.test(tokens)) throw wrongUse(`${safe(tokens)} is not a number of tokens.`)
    const budget = await account<GraphBudget>('PUT', '/account/models/graph', { tokens: Number(tokens) })
    if (options.json) context.printJson(budget)
    else context.terminal.print(budgetDescription(budget))
  })

async function settingOf(
  account: Account,
  model: string | undefined,
  options: ServerOptions,
): Promise<ModelSet> {
  const { context, unchecked } = options
  const part = options.for
  if (model === undefined && (part === 'language' || part === 'embeddings'))
    throw wrongUse('Name the model: kenning models list shows those of the server.')
  if (model !== undefined && part === 'ocr') throw wrongUse('A server for text recognition takes no model.')
  const tokens = context === undefined ? null : Number(context)
  if (tokens !== null && !Number.isSafeInteger(tokens))
    throw wrongUse(`${context} is not a number of tokens.`)
  return {
    ...(await serverOf(account, options)),
    ...(part === 'ocr' ? {} : { model: model ?? null }),
    ...(part === 'language' && { context_tokens: tokens }),
    ...(unchecked && { unchecked }),
  }
}

/** The server of the options, otherwise the server of the current model with its stored key. */
async function serverOf(
  account: Account,
  { for: part, provider, url, keyFile }: ServerOptions,
): Promise<ModelServer> {
  const key = keyFile === undefined ? {} : { key: (await readFile(keyFile, 'utf8')).trim() }
  const address = url ?? PRESETS[part].find(({ id }) => id === provider)?.url
  if (address) return { url: address, ...key }
  if (provider !== undefined)
    throw wrongUse(`${provider} is no known server of this kind: name it with --url.`)
  const { [part]: setting } = await account<ModelSettings>('GET', '/account/models')
  if (setting.source !== 'settings' || setting.url === null)
    throw wrongUse('Name the server: add --provider or --url.')
  return { url: setting.url, ...key }
}
