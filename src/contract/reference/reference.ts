// What openapi.json says besides the contract itself: a description and an example for each operation and each schema. Only openapi.ts
// imports this folder, and the service loads that when somebody asks for the description. So no other process has the texts in memory.

import type { Endpoint, EndpointId, endpoints } from '../endpoints.ts'
import type * as allResources from '../resources.ts'
import * as archives from './archives.ts'
import * as checks from './checks.ts'
import * as conversations from './conversations.ts'
import * as evaluation from './evaluation.ts'
import { extensions, jobEvents } from './extensions.ts'
import * as inspection from './inspection.ts'
import * as moves from './moves.ts'
import * as people from './people.ts'
import { resources } from './resources.ts'
import * as sources from './sources.ts'
import { askEvents, specified } from './specified.ts'
import { CALLERS, type OperationText, type OperationTexts, type SchemaTexts } from './texts.ts'
import * as trash from './trash.ts'
import * as usage from './usage.ts'
import * as webhooks from './webhooks.ts'

export { parameters } from './parameters.ts'

export const schemaTexts: Record<string, { description: string; example: unknown }> = {
  ...(resources satisfies SchemaTexts<typeof allResources>),
  ...archives.schemas,
  ...checks.schemas,
  ...conversations.schemas,
  ...evaluation.schemas,
  ...inspection.schemas,
  ...moves.schemas,
  ...people.schemas,
  ...sources.schemas,
  ...trash.schemas,
  ...usage.schemas,
  ...webhooks.schemas,
}

const operations: OperationTexts<typeof endpoints> = {
  ...specified,
  ...extensions,
  ...moves.operations,
  ...trash.operations,
  ...archives.operations,
  ...people.operations,
  ...sources.operations,
  ...webhooks.operations,
  ...usage.operations,
  ...checks.operations,
  ...conversations.operations,
  ...evaluation.operations,
  ...inspection.operations,
}
export const operationTexts: Record<EndpointId, OperationText<unknown>> = operations

/** An event stream as it is sent. */
const stream = (events: readonly (readonly [name: string, data: unknown])[]): string =>
  events.map(([name, data]) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`).join('')

export const eventExamples: Partial<Record<string, string>> = {
  ask: stream(askEvents),
  jobEvents: stream(jobEvents),
}

/** What it does, who may call it, and when an error comes. */
export function descriptionOf(id: EndpointId, row: Endpoint): string {
  const { does, callers, missing = 'the workspace', invalid, limited } = operationTexts[id]
  const form = row.body || row.multipart || row.archive ? 'the body or a parameter' : 'a parameter'
  const forbidden = [
    ...(row.ability === 'write' ? ['the credential may only read'] : []),
    ...(/\{(workspace|job)_id\}/.test(row.path) ? ['the role of the caller is too low'] : []),
  ]
  const failures: Partial<Record<number, string>> = {
    403: forbidden.join(', or '),
    404: `${missing} does not exist, or the caller may not see it`,
    413: row.archive ? 'the archive is too large' : 'a file is larger than 100 MB',
    416: 'the range that was asked for is outside the file',
    422: `${form} is not valid${invalid ? `, or ${invalid}` : ''}`,
    429: limited ?? 'the caller has asked too often',
  }
  const sentences = row.errors.map((status) => `${status}: ${failures[status]}.`)
  return [does, CALLERS[callers], ...sentences].join(' ')
}
