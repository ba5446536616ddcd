// The command line of `kenning eval`.

import { parseArgs } from 'node:util'
import { EvaluationFailed } from './error.ts'

export const EVAL_USAGE = `kenning eval DIR [options]   how well search finds what you know is there (docs/evaluation.md)

DIR holds corpus.jsonl or files/, queries.jsonl and qrels.tsv. Without --url a temporary service is started.

  --url URL            a running service, such as http://127.0.0.1:8484 (a workspace is made and removed)
  --token TOKEN        its bearer token; --token-file FILE is better: it is read again when the token has expired
  --workspace ID       ask this workspace as it is; qrels.tsv names its documents by id or title
  --ask                ask the questions and measure the answers and their citations, not the search
  --limit N            only the first N queries that have an answer
  --typos              one typo in 30 % of the words of each query
  --label TEXT         what this run is called in reports
  --out FILE.html      where the report goes, its data beside it as FILE.json (default: eval-NAME.html)
  --compare FILE.json  the data of another run of the same set, to compare with query by query
`

export interface EvalOptions {
  folder: string
  /** Answers are measured instead of searches. */
  ask: boolean
  /** Undefined: a temporary service. */
  remote:
    | { base: string; token: { text: string } | { file: string }; workspaceId: string | undefined }
    | undefined
  limit: number | undefined
  typos: number
  label: string | undefined
  /** Without its ending. */
  out: string | undefined
  compare: string | undefined
}

const TYPO_SHARE = 0.3

const wrongUse = (message: string): EvaluationFailed => new EvaluationFailed(`${message}\n\n${EVAL_USAGE}`, 2)

/** @throws EvaluationFailed (2) for anything that is not an option of the page above */
export function readOptions(args: readonly string[]): EvalOptions {
  const { values, positionals } = parse(args)
  const [folder, ...others] = positionals
  if (folder === undefined || others.length) throw wrongUse('Name one folder that holds the set.')
  const { url, token, workspace, limit } = values
  const file = values['token-file']
  if (url === undefined && (token ?? file ?? workspace) !== undefined)
    throw wrongUse('--token, --token-file and --workspace need --url.')
  if (token !== undefined && file !== undefined) throw wrongUse('Give --token or --token-file, not both.')
  if (url !== undefined && token === undefined && file === undefined)
    throw wrongUse('--url needs --token or --token-file.')
  if (limit !== undefined && !/^[1-9]\d{0,8}$/.test(limit))
    throw wrongUse('--limit must be a whole number from 1.')
  if (values.ask && (values.typos || values.compare !== undefined))
    throw wrongUse('--typos and --compare are for searches, not for --ask.')
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
  const text = { type: 'string' } as const
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        url: text,
        token: text,
        'token-file': text,
        workspace: text,
        limit: text,
        ask: { type: 'boolean', default: false },
        typos: { type: 'boolean', default: false },
        label: text,
        out: text,
        compare: text,
      },
    })
  } catch (error) {
    throw wrongUse(error instanceof Error ? error.message : String(error))
  }
}

/** The base address of an origin; `/v1` may be given or not. */
function baseOf(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  const path = parsed?.pathname.replace(/\/+$/, '')
  if (!parsed || !/^https?:$/.test(parsed.protocol) || (path !== '' && path !== '/v1'))
    throw wrongUse('--url must be the address of a service, such as http://127.0.0.1:8484')
  return `${parsed.origin}/v1`
}
