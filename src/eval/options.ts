// The command line of `kenning eval`.

import { parseArgs } from 'node:util'
import { EvaluationFailed } from './error.ts'

export const EVAL_USAGE = `kenning eval DIR [options]   measure search on your own questions (docs/evaluation.md)

DIR holds corpus.jsonl or files/, queries.jsonl and qrels.tsv. Without --url a temporary service is started. Instead of DIR,
a file of questions about --workspace, as the console exports it: evaluation-set.jsonl

  --url URL            a running service, such as http://127.0.0.1:8484 (a workspace is created and removed)
  --token TOKEN        its bearer token; better --token-file FILE, which is read again when the token has expired
  --workspace ID       ask this workspace and upload nothing; the set names its documents by id or title
  --ask                measure answers and their citations instead of search results
  --limit N            only the first N queries that have an answer
  --typos              one typo in 30 % of the words of each query
  --label TEXT         the name of this run in reports
  --out FILE.html      the report; its data is written beside it as FILE.json (default: eval-NAME.html)
  --compare FILE.json  the data of another run of the same set; the runs are compared query by query
`

export interface EvalOptions {
  folder: string
  /** Answers are measured instead of search results. */
  ask: boolean
  /** Undefined: a temporary service. */
  remote:
    | { base: string; token: { text: string } | { file: string }; workspaceId: string | undefined }
    | undefined
  limit: number | undefined
  typos: number
  label: string | undefined
  /** Without its extension. */
  out: string | undefined
  compare: string | undefined
}

const TYPO_SHARE = 0.3

const wrongUse = (message: string): EvaluationFailed => new EvaluationFailed(`${message}\n\n${EVAL_USAGE}`, 2)

/** @throws EvaluationFailed (2) for unknown options and wrong values */
export function readOptions(args: readonly string[]): EvalOptions {
  const { values, positionals } = parse(args)
  const [folder, ...others] = positionals
  if (folder === undefined || others.length)
    throw wrongUse('Name the folder of one set, or its file of questions.')
  const { url, token, workspace, limit } = values
  const file = values['token-file']
  if (url === undefined && (token ?? file ?? workspace) !== undefined)
    throw wrongUse('--token, --token-file and --workspace need --url.')
  if (token !== undefined && file !== undefined) throw wrongUse('Use either --token or --token-file.')
  if (url !== undefined && token === undefined && file === undefined)
    throw wrongUse('--url needs --token or --token-file.')
  if (limit !== undefined && !/^[1-9]\d{0,8}$/.test(limit))
    throw wrongUse('--limit must be a whole number, 1 or more.')
  if (values.ask && (values.typos || values.compare !== undefined))
    throw wrongUse('--typos and --compare cannot be used with --ask.')
  return {
    folder,
    ask: values.ask,
    remote:
      url === undefined
        ? undefined
        : {
            base: baseOf(url),
            token: file === undefined ? { text: token ?? '' } : { file },
            workspaceId: workspace,
          },
    limit: limit === undefined ? undefined : Number(limit),
    typos: values.typos ? TYPO_SHARE : 0,
    label: values.label,
    out: values.out?.replace(/\.(html?|json)$/i, ''),
    compare: values.compare,
  }
}

function parse(args: readonly string[]) {
  const textOption = { type: 'string' } as const
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        url: textOption,
        token: textOption,
        'token-file': textOption,
        workspace: textOption,
        limit: textOption,
        ask: { type: 'boolean', default: false },
        typos: { type: 'boolean', default: false },
        label: textOption,
        out: textOption,
        compare: textOption,
      },
    })
  } catch (error) {
    throw wrongUse(error instanceof Error ? error.message : String(error))
  }
}

/** Adds `/v1` to the address unless it already ends with it. */
function baseOf(url: string): string {
  const parsedUrl = URL.canParse(url) ? new URL(url) : undefined
  if (!parsedUrl || !/^https?:$/.test(parsedUrl.protocol) || parsedUrl.search || parsedUrl.hash)
    throw wrongUse('--url must be the address of a service, such as http://127.0.0.1:8484')
  return `${parsedUrl.origin}${parsedUrl.pathname.replace(/(\/v1)?\/*$/, '')}/v1`
}
