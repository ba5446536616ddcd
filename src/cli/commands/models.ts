// `kenning models`: the language model of the service, for administrators. They require the password, because no program may decide where
// questions and passages are sent.

import { readFile } from 'node:fs/promises'
import { MODEL_PRESETS } from '../../contract/model-presets.ts'
import type {
  LanguageModel,
  LanguageModelSet,
  LocalServer,
  ModelCheck,
  ModelFinding,
  ModelSettings,
  ServerModels,
} from '../../contract/models.ts'
import type { Context } from '../context.ts'
import { CommandFailed, wrongUse } from '../failure.ts'
import { type Account, type AccountOptions, asAccount } from '../login/account.ts'
import { safe } from '../terminal.ts'

interface ServerOptions extends AccountOptions {
  provider?: string
  url?: string
  keyFile?: string
  context?: string
}

const PAGE = { path: '/models', task: 'choose the model' }
const CHECKS: readonly ModelCheck[] = ['tools', 'context', 'structure']
const MARKS = { ok: 'ok', warning: 'warning', problem: 'problem' } as const

/** The current model; without one the model servers that answer on the service's machine. */
export const showModels = (context: Context, options: AccountOptions): Promise<void> =>
  asAccount(context, options, PAGE, async (account) => {
    const settings = await account<ModelSettings>('GET', '/account/models')
    if (options.json) {
      context.printJson(settings)
      return
    }
    const { language } = settings
    context.terminal.print(modelLine(language))
    if (language.problem) context.terminal.note(language.problem)
    if (language.source !== 'none') return
    const { data } = await account<{ data: LocalServer[] }>('GET', '/account/models/local')
    for (const { name, url } of data)
      context.terminal.note(`${name} answers on the machine of the service: kenning models list --url ${url}`)
  })

function modelLine({ source, model, url }: LanguageModel): string {
  if (source === 'none') return 'No language model: questions are answered with quotations.'
  const sourceNote = source === 'environment' ? ', set where the service is started' : ''
  return `${safe(model ?? '')} at ${safe(url ?? '')} answers questions${sourceNote}.`
}

/** The models that a server says it has. */
export const listModels = (context: Context, options: ServerOptions): Promise<void> =>
  asAccount(context, options, PAGE, async (account) => {
    const server = await serverOf(account, options)
    const list = await account<ServerModels>('POST', '/account/models/language/list', server)
    if (options.json) context.printJson(list)
    else for (const { id } of list.data) context.terminal.print(safe(id))
    if (list.problem) throw new CommandFailed(list.problem.message)
  })

export const setModel = (context: Context, model: string, options: ServerOptions): Promise<void> =>
  asAccount(context, options, PAGE, async (account) => {
    const body = await settingOf(account, model, options)
    const settings = await account<ModelSettings>('PUT', '/account/models/language', body)
    if (options.json) context.printJson(settings)
    else context.terminal.print(modelLine(settings.language))
  })

export const clearModel = (context: Context, options: AccountOptions): Promise<void> =>
  asAccount(context, options, PAGE, async (account) => {
    await account('DELETE', '/account/models/language')
    context.terminal.note('Removed. Questions are answered with quotations.')
  })

/** What works with the current model, or with a named one, line by line. */
export const tryModel = (
  context: Context,
  model: string | undefined,
  options: ServerOptions,
): Promise<void> =>
  asAccount(context, options, PAGE, async (account) => {
    const setting = model === undefined ? {} : { model: await settingOf(account, model, options) }
    const findings: ModelFinding[] = []
    for (const check of CHECKS) {
      const body = { ...setting, check }
      const { data } = await account<{ data: ModelFinding[] }>('POST', '/account/models/language/try', body)
      findings.push(...data)
      if (!options.json)
        for (const finding of data)
          context.terminal.print(
            `${MARKS[finding.outcome].padEnd(9)}${finding.check.padEnd(11)}${safe(finding.message)}`,
          )
      if (data.some(isFatal)) break
    }
    if (options.json) context.printJson({ data: findings })
    if (findings.some(isFatal)) throw new CommandFailed('The model cannot be used as it is.')
  })

const isFatal = ({ outcome }: ModelFinding): boolean => outcome === 'problem'

async function settingOf(account: Account, model: string, options: ServerOptions): Promise<LanguageModelSet> {
  const { context } = options
  const tokens = context === undefined ? null : Number(context)
  if (tokens !== null && !Number.isSafeInteger(tokens))
    throw wrongUse(`${context} is not a number of tokens.`)
  return { ...(await serverOf(account, options)), model, context_tokens: tokens }
}

/** The server of the options; without one the server of the current model, with its key. */
async function serverOf(
  account: Account,
  { provider, url, keyFile }: ServerOptions,
): Promise<Pick<LanguageModelSet, 'url' | 'key'>> {
  const key = keyFile === undefined ? {} : { key: (await readFile(keyFile, 'utf8')).trim() }
  const address = url ?? MODEL_PRESETS.find(({ id }) => id === provider)?.url
  if (address) return { url: address, ...key }
  const { language } = await account<ModelSettings>('GET', '/account/models')
  if (language.source !== 'settings' || language.url === null)
    throw wrongUse('Name the server: add --provider or --url.')
  return { url: language.url, ...key }
}
