// What an assistant reads of a search over MCP: the tokens of twenty typical searches over the example library, by each of the two
// search tools. `--resume DIR` keeps the filled service.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { siblingModule } from '../src/processes/module.ts'
import { startTemporary } from '../src/temporary.ts'
import { examplesIn } from './checking.ts'
import { type BenchOptions, table } from './report.ts'

/** As assistants write them: words of a question, whole questions, a phrase, a list of everything, one without an answer. */
export const QUERIES = [
  'When does the lease of Ropewalk Yard end?',
  'notice period lease',
  'rent per month after the amendment',
  'Who supplies the sensors?',
  'revenue 2025',
  'What did the board decide in March 2026?',
  'battery safety notice',
  'calibration certificate TG-40',
  'operating temperature TG-40',
  'price of a tide gauge',
  'vacation days staff handbook',
  'sick leave',
  'budget for marketing 2026',
  'service agreement port response time',
  'Who is the landlord?',
  'dividend general meeting',
  'moving date new office',
  '"written notice"',
  'all suppliers with their payment terms',
  'parental leave in Norway',
]

// Measured on 2026-11-30, before results were shortened.
const BEFORE = '2,079 and 2,295'
/** The mean tokens of a search that issue 45 began with, on another set of queries. */
export const FORMER_TOKENS: Readonly<Record<ToolName, number>> = { search: 2219, search_passages: 2538 }

export const TOOLS = ['search', 'search_passages'] as const
type ToolName = (typeof TOOLS)[number]

export async function benchMcp({ resume }: BenchOptions): Promise<string> {
  const folder = resume && join(resume, 'service-examples')
  const main = siblingModule('../src/main', import.meta.url)
  const service = await startTemporary(main, { settings: {}, folder })
  try {
    await examplesIn(service, folder)
    const token = await service.token(false)
    const search = async (tool: ToolName, query: string): Promise<string> => {
      const text = await resultOf(`${service.base}/mcp`, token, { name: tool, arguments: { query } })
      // The port differs from run to run, and with it the tokens.
      return text.replaceAll(new URL(service.base).origin, 'https://kenning.example.org')
    }
    const rows: (string | number)[][] = []
    const texts: string[] = []
    for (const query of QUERIES) {
      const results = [await search('search', query), await search('search_passages', query)]
      texts.push(...results)
      rows.push([query, ...results.map((text) => encode(text).length)])
    }
    if (resume) await writeFile(join(resume, 'mcp-results.txt'), texts.join('\n'))
    const means = TOOLS.map((_, at) =>
      Math.round(rows.reduce((sum, row) => sum + Number(row[at + 1]), 0) / rows.length),
    )
    return `## What an assistant reads of a search (MCP)\n\nTokens (o200k) of the text of a result: twenty searches over the example library, in one workspace, without other arguments. With whole ids, long addresses, ten passages of any document and each field in each of them it was ${BEFORE}.\n\n${table(
      ['query', ...TOOLS.map((name) => `\`${name}\``)],
      [...rows, ['**mean**', ...means.map((mean) => `**${mean.toLocaleString('en')}**`)]],
    )}`
  } finally {
    await service.stop()
  }
}

/** The text of a tool's result, which is what most hosts give to the model. */
async function resultOf(url: string, token: string, params: object): Promise<string> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  })
  const body = await answer.text()
  const line = body.split('\n').find((one) => one.startsWith('data: {'))
  const message = JSON.parse(line?.slice('data: '.length) ?? body) as {
    result?: { content: { text: string }[]; isError?: boolean }
  }
  const { result } = message
  if (!result || result.isError) throw new Error(`the search failed: ${body.slice(0, 300)}`)
  return result.content[0]?.text ?? ''
}
