// `kenning eval DIR`: reads a set, fills a workspace, asks, measures, reports and compares (docs/evaluation.md).

import { access, constants, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { progressOn } from '../progress-bar.ts'
import { evaluateAnswers } from './answers/evaluate.ts'
import { readQuestions } from './answers/questions.ts'
import { asFailure, EvaluationFailed } from './error.ts'
import { compareRuns } from './measure/compare.ts'
import { type EvalOptions, readOptions } from './options.ts'
import { htmlReport } from './report/html.ts'
import { pairRuns } from './report/pairs.ts'
import { printComparison, printRun } from './report/print.ts'
import { type RunFile, readRunFile } from './report/run-file.ts'
import { askAll, summarise } from './run.ts'
import { readSet, type SetDocument } from './set/set.ts'
import { openClient } from './target/client.ts'
import { fillRemote, openRemote, type RemoteService } from './target/remote.ts'
import type { FilledTarget, FillOptions, Target } from './target/target.ts'
import { fillTemporary } from './target/temporary.ts'

interface EvalContext {
  /** The module that runs the processes of a temporary service. */
  main: URL
  version: string
  stdout: NodeJS.WriteStream
  stderr: NodeJS.WriteStream
}

/** @returns the exit code: 0 done, 1 failed, 2 wrong command or wrong set, 130 interrupted */
export async function runEval(args: readonly string[], context: EvalContext): Promise<number> {
  const stopController = new AbortController()
  const interrupt = (): void => stopController.abort()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, interrupt)
  try {
    const options = readOptions(args)
    await (options.ask ? evaluateAsking : evaluate)(options, context, stopController.signal)
    return 0
  } catch (error) {
    if (stopController.signal.aborted) return 130
    const failure = asFailure(error)
    if (!failure) throw error
    context.stderr.write(`${failure.message}\n`)
    return failure.exitCode
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, interrupt)
  }
}

async function evaluate(options: EvalOptions, context: EvalContext, signal: AbortSignal): Promise<void> {
  const set = await readSet(options.folder, options.remote?.workspaceId === undefined)
  const comparedRun = options.compare === undefined ? undefined : await readRunFile(options.compare)
  const out = options.out ?? `eval-${set.name}`
  // The evaluation may take an hour, so this is checked before it starts.
  await requireWritable(out)
  const queries = set.queries.slice(0, options.limit)
  const progress = progressOn(context.stderr)
  const relevantIds = new Set(set.queries.flatMap(({ grades }) => [...grades.keys()]))
  const target = await openTarget(
    options,
    { ...set, neededIds: relevantIds },
    { onProgress: progress, signal },
    context.main,
  )
  try {
    const results = await askAll(target, {
      queries,
      typos: options.typos,
      onProgress: progress('ask'),
      signal,
    })
    const run: RunFile = {
      format: 'kenning-eval-1',
      set: set.name,
      label: options.label ?? `Kenning ${context.version}`,
      target: target.description,
      version: context.version,
      at: new Date().toISOString().replace(/\.\d+Z$/, 'Z'),
      typos: options.typos,
      documents: set.documents?.length ?? null,
      unjudged: set.unjudged,
      unread: [...(target.unread ?? [])],
      metrics: summarise(results),
      queries: results,
    }
    await writeReport(run, comparedRun, out, context)
  } finally {
    await target.close()
  }
}

async function evaluateAsking(
  options: EvalOptions,
  context: EvalContext,
  signal: AbortSignal,
): Promise<void> {
  const set = await readQuestions(options.folder, options.remote?.workspaceId === undefined)
  const out = options.out ?? `eval-${set.name}-answers`
  await requireWritable(out)
  const progress = progressOn(context.stderr)
  const relevantIds = new Set(set.questions.flatMap(({ documents }) => [...documents]))
  const target = await openTarget(
    options,
    { ...set, neededIds: relevantIds },
    { onProgress: progress, signal },
    context.main,
  )
  try {
    const { version, stdout } = context
    const label = options.label ?? `Kenning ${version}`
    const { limit } = options
    await evaluateAnswers(set, target, {
      limit,
      label,
      version,
      out,
      onProgress: progress('ask'),
      signal,
      stdout,
    })
  } finally {
    await target.close()
  }
}

async function writeReport(
  run: RunFile,
  comparedRun: RunFile | undefined,
  out: string,
  { stdout }: EvalContext,
): Promise<void> {
  stdout.write(`${printRun(run)}\n`)
  if (comparedRun) {
    const pairedRuns = pairRuns(run, comparedRun)
    stdout.write(
      `\n${printComparison(run.label, comparedRun.label, compareRuns(pairedRuns.pairs), pairedRuns)}\n`,
    )
  }
  await writeFile(`${out}.json`, `${JSON.stringify(run)}\n`)
  await writeFile(`${out}.html`, htmlReport(run, comparedRun))
  stdout.write(`\nreport: ${out}.html   data: ${out}.json\n`)
}

async function requireWritable(out: string): Promise<void> {
  const folder = dirname(out)
  await mkdir(folder, { recursive: true })
    .then(() => access(folder, constants.W_OK))
    .catch((error: { code?: string }) => {
      throw new EvaluationFailed(
        `The report cannot be written to ${dirname(out)}: ${error.code ?? error}.`,
        2,
      )
    })
}

interface NeededDocuments {
  name: string
  documents: readonly SetDocument[] | undefined
  /** The documents to which the set's judgments refer. */
  neededIds: ReadonlySet<string>
}

// An evaluation sends more questions than a person does in an hour.
const TEMPORARY_SETTINGS = { KENNING_ASK_PER_HOUR: '1000000' }

async function openTarget(
  { remote }: EvalOptions,
  set: NeededDocuments,
  options: Pick<FillOptions, 'onProgress' | 'signal'>,
  main: URL,
): Promise<Target & Partial<Pick<FilledTarget, 'unread'>>> {
  const documents = set.documents ?? []
  if (!remote)
    return fillTemporary(main, set.name, { ...options, documents }, { settings: TEMPORARY_SETTINGS })
  const service = serviceOf(remote)
  return remote.workspaceId === undefined
    ? fillRemote(service, set.name, { ...options, documents })
    : openRemote(service, {
        workspaceId: remote.workspaceId,
        usedNames: set.neededIds,
        signal: options.signal,
      })
}

function serviceOf({ base, token }: NonNullable<EvalOptions['remote']>): RemoteService {
  const read = async (): Promise<string> => {
    if ('text' in token) return token.text
    const text = await readFile(token.file, 'utf8').catch((error: { code?: string }) => {
      throw new EvaluationFailed(`The token cannot be read from ${token.file}: ${error.code ?? error}.`, 2)
    })
    return text.trim()
  }
  return { base, connect: (stop) => openClient(base, read, stop) }
}
