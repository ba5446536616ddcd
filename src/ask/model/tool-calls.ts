// The tools as a language model calls them, with names and numbers as arguments and text as results. Ids of workspaces, documents
// and entities are neither accepted nor returned, and unknown arguments are ignored. Every tool is read-only.

import { z } from 'zod'
import type { AnalysedText } from '../../language/analysed-text.ts'
import type { ToolCall, ToolSpec } from '../../ports/llm/conversation.ts'
import type { Passage } from '../../search/passage.ts'
import type { Calculation } from '../citations/support.ts'
import { COMPARISONS, compute, OPERATIONS } from '../compute/compute.ts'
import type { StepReport, Tools } from '../tools/tools.ts'
import { line, type PassageContext } from './context.ts'

export interface ToolResult {
  text: string
  report: StepReport
  /** For a plan: a step for each of its parts, in place of `report`. */
  partReports?: readonly StepReport[]
  /** The number of new passages. */
  fresh: number
  /** The calculated figure and the passages it is from. */
  calculation?: Calculation
}

interface ToolContext {
  tools: Tools
  context: PassageContext
  /** Chooses the excerpts if the call has no query of its own. */
  question: AnalysedText
}

/** Writes a result as text. This gives passages their numbers, so results must be written in the order of their calls. */
type Show = () => ToolResult

/** `facts`: the result is not passages. It counts as new if its text is new, and it is itself a source of figures. */
type ToolOutput = 'passages' | 'facts'

interface Tool {
  description: string
  output: ToolOutput
  input: z.ZodType
  run(toolContext: ToolContext, input: unknown): Promise<Show>
}

const tool = <Input extends z.ZodType>(
  description: string,
  output: ToolOutput,
  input: Input,
  run: (toolContext: ToolContext, input: z.output<Input>) => Promise<Show>,
): Tool => ({
  description,
  output,
  input,
  run: (toolContext, parsedInput) => run(toolContext, parsedInput as z.output<Input>),
})

const MAX_PASSAGES = 8
const MAX_PARTS = 6
// The passages of all parts of a plan together.
const MAX_PASSAGES_OF_PLAN = 12
const MAX_ROWS = 20
const MAX_LINE = 400
const MAX_REASON = 1000
const text = (maxLength: number): z.ZodString => z.string().min(1).max(maxLength)
const passage = z.int().min(1).describe('The number of a passage shown before')

const CalculationInput = z.object({
  passage,
  operation: z.enum(OPERATIONS),
  columns: z.array(text(200)).max(2).default([]),
  where: z
    .array(z.object({ column: text(200), is: z.enum(COMPARISONS), value: z.string().max(500) }))
    .max(8)
    .default([]),
  sort: z.object({ column: text(200), order: z.enum(['ascending', 'descending']) }).optional(),
  limit: z.int().min(1).max(1000).optional(),
})

const TOOLS: Readonly<Record<string, Tool>> = {
  search: tool(
    'Finds passages of the documents by words and meaning. Ask short and specific; search again with other words.',
    'passages',
    z.object({
      query: text(2000),
      entity: text(200).optional().describe('Only passages that mention this name'),
    }),
    async ({ tools, context }, { query, entity }) => {
      const ids = entity ? (await tools.findEntities(entity, 3)).map(({ id }) => id) : undefined
      const passages = await tools.search(query, MAX_PASSAGES, ids && { entityIds: ids })
      return () => ({
        ...context.show(passages, query),
        report: stepReport('search', 'Searching the documents', passages.length, query),
      })
    },
  ),
  read_document: tool(
    'Reads on around a passage, or a document from its beginning or from a place.',
    'passages',
    z.object({
      passage: passage.optional(),
      document: text(10).optional().describe('A document as it was shown, such as D2'),
      from: z.int().min(0).max(100_000).optional().describe('Place in the document, 0 is its beginning'),
    }),
    async ({ tools, context, question }, { passage: number, document, from = 0 }) => {
      const near = number === undefined ? undefined : context.passage(number)
      const id = near?.document_id ?? context.documentId(document ?? '')
      const at = near ? { around: near.chunk_id } : { from }
      const passages = id ? await tools.readDocument(id, at, MAX_PASSAGES) : []
      const report = stepReport('read', 'Reading a document', passages.length)
      if (!id) return () => ({ text: 'There is no such passage or document.', fresh: 0, report })
      return () => ({ ...context.show(passages, question), report })
    },
  ),
  plan: tool(
    'For a question with parts (compare, list all, summarise everything about something): name them, each so that it stands alone. Each is searched, and the result says which have nothing.',
    'passages',
    z.object({ parts: z.array(text(300)).min(2).max(MAX_PARTS) }),
    searchParts,
  ),
  find_entities: tool(
    'Finds people, organizations, places, products … by name.',
    'facts',
    z.object({ name: text(200) }),
    async ({ tools, context }, { name }) => {
      const entities = await tools.findEntities(name, 10)
      const lines = entities.map(describeEntity)
      return () => ({
        text: lines.length ? context.quote(lines) : 'Nothing of that name.',
        fresh: 0,
        report: stepReport('graph', 'Looking up names', entities.length),
      })
    },
  ),
  neighbours: tool(
    'How a person, organization … is related to others, or connected with one other, with the passages that say so.',
    'passages',
    z.object({
      entity: text(200).describe('Its name'),
      other: text(200).optional().describe('Name of the other'),
    }),
    async ({ tools, context }, { entity, other }) => {
      const [target] = await tools.findEntities(entity, 1)
      if (other !== undefined) return showConnection({ tools, context }, target, other)
      const passages = target ? await tools.neighbours(target.id, MAX_PASSAGES) : []
      const report = stepReport('graph', 'Following relations', passages.length)
      if (!target || passages.length === 0) return () => ({ text: 'No relations known.', fresh: 0, report })
      const lines = passages.map(({ type, direction, entity: other }) => {
        const [head, tail] = direction === 'out' ? [target, other] : [other, target]
        return `${line(head.name)} ${type} ${line(tail.name)}`
      })
      return () => {
        const result = context.show(
          passages.map((neighbour) => neighbour.passage),
          entity,
        )
        return { text: `${context.quote(lines)}\n${result.text}`, fresh: result.fresh, report }
      }
    },
  ),
  themes: tool(
    'What the documents as a whole are most about.',
    'facts',
    z.object({}),
    async ({ tools, context }) => {
      const { top_entities: top } = await tools.themes(20)
      const lines = top.map(describeEntity)
      return () => ({
        text: lines.length ? context.quote(lines) : 'Nothing yet.',
        fresh: 0,
        report: stepReport('graph', 'Looking at the themes', top.length),
      })
    },
  ),
  list_documents: tool(
    'Documents by title; read_document takes their numbers.',
    'facts',
    z.object({ title: z.string().max(200).default('').describe('Part of the title') }),
    async ({ tools, context }, { title }) => {
      const documents = await tools.listDocuments(title, 20)
      return () => {
        const lines = documents.map(
          (d) => `${context.documentNumber(d)} ${line(d.title)} (${d.chunk_count} passages)`,
        )
        return {
          text: lines.length ? context.quote(lines) : 'No such document.',
          fresh: 0,
          report: stepReport('read', 'Looking at the documents', documents.length),
        }
      }
    },
  ),
  compute: tool(
    'Calculates with the table in a passage, all of it: never calculate yourself. difference and ratio take one column and two rows, or two columns and one row.',
    'facts',
    CalculationInput,
    calculate,
  ),
}

/** The shortest path from an entity to the one that is named. */
async function showConnection(
  { tools, context }: { tools: Tools; context: PassageContext },
  from: { id: string; name: string } | undefined,
  otherName: string,
): Promise<Show> {
  const [to] = await tools.findEntities(otherName, 1)
  const steps = from && to ? await tools.connection(from.id, to.id) : []
  const report = stepReport('graph', 'Following relations', steps.length)
  if (!from || !to || steps.length === 0) return () => ({ text: 'No connection known.', fresh: 0, report })
  const lines = steps.map(({ head, type, tail }) => `${line(head)} ${type} ${line(tail)}`)
  return () => {
    const passages = steps.flatMap(({ passage }) => passage ?? [])
    const result = context.show(passages, `${from.name} ${to.name}`)
    return { text: `${context.quote(lines)}\n${result.text}`, fresh: result.fresh, report }
  }
}

/** Searches for each part of a plan, one by one, as long as there is time. */
async function searchParts(
  { tools, context }: ToolContext,
  { parts }: { parts: readonly string[] },
): Promise<Show> {
  const limit = Math.floor(MAX_PASSAGES_OF_PLAN / parts.length)
  const results: (Passage[] | undefined)[] = []
  for (const part of parts) results.push(tools.outOfTime() ? undefined : await tools.search(part, limit))
  return () => {
    const room = context.room
    const sections = parts.map((part, i) => {
      const passages = results[i]
      const name = `Part ${i + 1}, ${line(part)}:`
      if (!passages) return { text: `${name} not looked for, there is no time. Say so.`, fresh: 0 }
      if (passages.length === 0) return { text: `${name} nothing was found. Say so.`, fresh: 0 }
      context.room = room / parts.length
      const { text, fresh } = context.show(passages, part)
      return { text: `${name}\n${text}`, fresh }
    })
    context.room = room
    const partReports = parts.map((part, i) =>
      stepReport('search', `Part ${i + 1} of ${parts.length}`, results[i]?.length ?? 0, part),
    )
    return {
      text: sections.map(({ text }) => text).join('\n\n'),
      fresh: sections.reduce((sum, { fresh }) => sum + fresh, 0),
      report: stepReport('search', 'Searching for the parts of the question', parts.length),
      partReports,
    }
  }
}

async function calculate(
  { tools, context, question }: ToolContext,
  { passage: number, sort, limit, ...computation }: z.output<typeof CalculationInput>,
): Promise<Show> {
  const tablePassage = context.passage(number)
  const rows = tablePassage ? await tools.readTable(tablePassage.chunk_id) : []
  const report = stepReport('think', 'Calculating from a table', rows.length)
  if (!tablePassage || rows.length === 0)
    return () => ({ text: `Passage ${number} holds no table that can be read whole.`, fresh: 0, report })
  const outcome = compute(
    rows,
    { ...computation, ...(sort && { sort }), ...(limit && { limit }) },
    tablePassage.language,
  )
  if (outcome.kind === 'refused')
    return () => ({ text: context.quote([line(outcome.reason, MAX_REASON)]), fresh: 0, report })
  const shownRows = outcome.rows.slice(0, MAX_ROWS)
  const sourcePassages = [...new Set(outcome.rows.map((row) => row.passage))]
  const value = outcome.kind === 'value' ? outcome.value : ''
  const result =
    outcome.kind === 'value'
      ? [
          `Result: ${outcome.value}${outcome.unit ? ` ${line(outcome.unit)}` : ''}${outcome.exact ? '' : ' (rounded)'}, from ${outcome.rows.length} rows.`,
          outcome.skipped.length
            ? `${outcome.skipped.length} rows hold no clear number and were left out.`
            : '',
          outcome.totals.length ? `${outcome.totals.length} rows of totals were left out.` : '',
        ]
      : [`${outcome.rows.length} rows.`]
  const lines = shownRows.map(({ line: row }) => line(row, MAX_LINE))
  return () => {
    const output = context.show([...new Set(shownRows.map((row) => row.passage))], question)
    return {
      text: [...result, lines.length ? context.quote(lines) : '', output.text].filter(Boolean).join('\n'),
      fresh: output.fresh,
      report,
      calculation: { result: `${value} ${outcome.rows.length}`, sources: [tablePassage, ...sourcePassages] },
    }
  }
}

const describeEntity = (entity: { name: string; type: string; mention_count: number }): string =>
  `${line(entity.name)} (${entity.type}, ${entity.mention_count} mentions)`

const stepReport = (type: StepReport['type'], label: string, count: number, query?: string): StepReport => ({
  type,
  label,
  result_count: count,
  ...(query !== undefined && { query: line(query) }),
})

export const toolSpecs: readonly ToolSpec[] = Object.entries(TOOLS).map(([name, { description, input }]) => {
  const { $schema: _dialect, ...parameters } = z.toJSONSchema(input, { io: 'input' })
  return { name, description, parameters }
})

// The tools that every answer needs.
const ESSENTIAL = ['search', 'read_document']

/** The tools for a model whose context has little room. */
export const essentialToolSpecs: readonly ToolSpec[] = toolSpecs.filter(({ name }) =>
  ESSENTIAL.includes(name),
)

/** Whether the results of a tool are facts and not passages. False for an unknown tool. */
export const givesFacts = (name: string): boolean =>
  Object.hasOwn(TOOLS, name) && TOOLS[name]?.output === 'facts'

/**
 * Runs one call. The calls of one turn may run at the same time; their results are written in order afterwards. Mistakes of the
 * model are returned to it as text, failures of Kenning are thrown.
 */
export async function runToolCall(toolContext: ToolContext, call: ToolCall): Promise<Show> {
  const correction =
    (text: string): Show =>
    () => ({
      text,
      fresh: 0,
      report: { type: 'think', label: 'Correcting a step' },
    })
  const definition = Object.hasOwn(TOOLS, call.name) ? TOOLS[call.name] : undefined
  if (!definition)
    return correction(`There is no such tool. The tools are: ${Object.keys(TOOLS).join(', ')}.`)
  const input = definition.input.safeParse(parseArguments(call.arguments))
  if (input.success) return definition.run(toolContext, input.data)
  const [issue] = input.error.issues
  return correction(`The arguments are wrong: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`.trim())
}

/** A text without NUL and unpaired surrogates, which PostgreSQL cannot store. */
const storable = (text: string): string => text.replaceAll('\0', '').toWellFormed()

/** The arguments as an object. Malformed arguments become an empty object, which tools with required arguments reject. */
export function parseArguments(text: string): object {
  try {
    const value: unknown = JSON.parse(text || '{}', (_key, part) =>
      typeof part === 'string' ? storable(part) : part,
    )
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
  } catch {
    return {}
  }
}
