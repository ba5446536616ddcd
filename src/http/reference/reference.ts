// The API reference at /docs: openapi.json as one page that needs no script. The usual libraries render it in the browser with a
// megabyte of script.

import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../ports/deps.ts'
import { type Html, html } from '../pages/html.ts'
import { asPage, type Page, sendPage } from '../pages/page.ts'
import { type Description, type Operation, type Schema, successResponseOf } from './description.ts'
import { exampleOf } from './example.ts'

export function mountReference(app: FastifyInstance, { settings }: Pick<Deps, 'settings'>): void {
  let page: Page | undefined
  app.get('/docs', asPage, async (_request, reply) => {
    const { openApi } = await import('../../contract/openapi.ts')
    page ??= referencePage(openApi(settings.baseUrl) as unknown as Description)
    return sendPage(reply, page)
  })
}

interface PathOperation extends Operation {
  method: string
  path: string
}

export function referencePage(description: Description): Page {
  const operations = Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, method, path })),
  )
  const groups = new Map<string, PathOperation[]>()
  for (const endpoint of operations) {
    const [tag = 'other'] = endpoint.tags
    groups.set(tag, [...(groups.get(tag) ?? []), endpoint])
  }
  const base = description.servers[0]?.url ?? ''
  return { title: 'API reference', language: 'en', isWide: true, body: body(description, base, [...groups]) }
}

const body = (
  { info, components }: Description,
  base: string,
  groups: [string, PathOperation[]][],
): Html => html`
<p>${withCode(info.description)}</p>
<p>All of it is below <code>${base}</code>. Programs send <code>Authorization: Bearer TOKEN</code> with an API key of
<a href="/keys">your settings</a> or an OAuth access token; the key reads the workspaces that you chose, and never more than you
can. The same as a document for programs: <a href="/v1/openapi.json">/v1/openapi.json</a>. In TypeScript every operation is a
function of <code>kenning/client</code>, which is part of the package, and of <code>kenning-client</code>, which is the client
alone.</p>
<nav aria-label="Operations">
${groups.map(
  ([tag, operations]) => html`<h2>${heading(tag)}</h2>
<ul>${operations.map(
    ({ operationId, method, path, summary }) =>
      html`<li><a href="#${operationId}"><code>${method.toUpperCase()} ${path}</code></a> ${summary}</li>`,
  )}</ul>
`,
)}
<p><a href="#schemas">Objects</a>, <a href="#errors">errors</a>, <a href="#lists">lists and repeated requests</a></p>
</nav>
${groups.map(([tag, operations]) => html`<section><h2 class="part">${heading(tag)}</h2>${operations.map((pathOperation) => operation(pathOperation, base, components.schemas))}</section>`)}
${conventions}
<section><h2 class="part" id="schemas">Objects</h2>${Object.entries(components.schemas).map(([name, schema]) => component(name, schema))}</section>
`

const heading = (tag: string): string => (tag[0] ?? '').toUpperCase() + tag.slice(1)

function operation(
  {
    operationId,
    method,
    path,
    summary,
    description,
    tags,
    parameters,
    requestBody,
    responses,
  }: PathOperation,
  base: string,
  schemas: Record<string, Schema>,
): Html {
  const [media, content] = Object.entries(requestBody?.content ?? {})[0] ?? []
  const [status, answer] = successResponseOf(responses)
  const failures = Object.entries(responses).filter(([code]) => /^[45]/.test(code))
  return html`<article id="${operationId}">
<h3><code>${method.toUpperCase()} ${path}</code></h3>
<p>${withCode(summary)}.${tags.includes('extension') && html` <span class="soft">Not part of the specification.</span>`}</p>
<p>${withCode(description)}</p>
${
  parameters.length > 0 &&
  html`<h4>Parameters</h4>${fields(
    `Parameters of ${operationId}`,
    parameters.map((parameter) => ({ ...parameter, note: parameter.in })),
  )}`
}
${content && html`<h4>Body <span class="soft">${media}</span></h4>${content.schema.$ref && html`<p>${typeOf(content.schema)}</p>`}${fields(`Body of ${operationId}`, fieldsOf(resolveReference(content.schema, schemas)))}`}
<h4>Answer <span class="soft">${status}</span></h4>
${Object.entries(answer?.content ?? {}).map(
  ([type, { schema }]) =>
    html`<p><code>${type}</code> ${typeOf(schema)}${schema.description && html` ${withCode(schema.description)}`}</p>`,
)}
${!answer?.content && html`<p>Nothing.</p>`}
<p class="soft">Errors: ${failures.map(([code, { description }]) => html`${code} ${withCode(description)}. `)}</p>
<pre tabindex="0" role="region" aria-label="Example of ${operationId}">${exampleOf({ method, path, parameters, requestBody }, base)}</pre>
${Object.entries(answer?.content ?? {}).map(([type, { example }]) => example !== undefined && html`<details><summary>Example of the answer, <code>${type}</code></summary><pre tabindex="0" role="region" aria-label="Answer of ${operationId} as ${type}">${typeof example === 'string' ? example : JSON.stringify(example, null, 2)}</pre></details>`)}
</article>
`
}

const resolveReference = (schema: Schema, schemas: Record<string, Schema>): Schema =>
  schema.$ref ? (schemas[schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)] ?? {}) : schema

interface Field {
  name: string
  schema: Schema
  required: boolean
  note?: string
  description?: string | undefined
}

const fieldsOf = ({ properties = {}, required = [] }: Schema): Field[] =>
  Object.entries(properties).map(([name, schema]) => ({ name, schema, required: required.includes(name) }))

const fields = (label: string, rows: readonly Field[]): Html => html`<table aria-label="${label}">
<thead><tr><th scope="col">Name</th><th scope="col">Type</th><th scope="col">Notes</th></tr></thead>
<tbody>${rows.map(
  ({ name, schema, required, note, description }) =>
    html`<tr><th scope="row"><code>${name}</code></th><td>${typeOf(schema)}</td><td>${notesOf({ schema, required, note, description })}</td></tr>
`,
)}</tbody></table>`

function notesOf({
  schema,
  required,
  note,
  description,
}: Omit<Field, 'name' | 'note'> & { note: string | undefined }): Html {
  const { default: defaultValue, minimum, maximum, minLength, maxLength, minItems, maxItems, format } = schema
  const range = (
    minimumValue: number | undefined,
    maximumValue: number | undefined,
    unit = '',
  ): string | false =>
    (minimumValue !== undefined || maximumValue !== undefined) &&
    [
      minimumValue !== undefined && `from ${minimumValue.toLocaleString('en')}`,
      maximumValue !== undefined && `up to ${maximumValue.toLocaleString('en')}`,
    ]
      .filter(Boolean)
      .join(' ') + unit
  const notes = [
    note && note !== 'query' && `in the ${note}`,
    required ? 'required' : 'optional',
    defaultValue !== undefined && `default ${JSON.stringify(defaultValue)}`,
    format,
    range(minimum, maximum),
    range(minLength || undefined, maxLength, ' characters'),
    range(minItems || undefined, maxItems, ' items'),
  ]
  const text = [notes.filter(Boolean).join(', '), description ?? schema.description]
    .filter(Boolean)
    .join('. ')
  return withCode(text)
}

/** The type in the syntax of TypeScript. Names of objects are links to them. */
function typeOf(schema: Schema): Html {
  const { $ref, anyOf, type, items, additionalProperties } = schema
  if ($ref) {
    const name = $ref.slice($ref.lastIndexOf('/') + 1)
    return html`<a href="#schema-${name}">${name}</a>`
  }
  if ('const' in schema) return html`<code>${JSON.stringify(schema.const)}</code>`
  if (schema.enum) return joinHtml(schema.enum.map((value) => html`<code>${JSON.stringify(value)}</code>`))
  if (anyOf) return joinHtml(anyOf.map(typeOf))
  if (Array.isArray(type)) return joinHtml(type.map((singleType) => typeOf({ ...schema, type: singleType })))
  if (type === 'array') return html`list of ${typeOf(items ?? {})}`
  if (type === 'object' && schema.properties)
    return html`object of ${joinHtml(
      Object.entries(schema.properties).map(([name, field]) => html`<code>${name}</code> ${typeOf(field)}`),
      ', ',
    )}`
  if (type === 'object' && additionalProperties)
    return html`object of ${typeOf(additionalProperties)} by name`
  return html`${type ?? 'anything'}`
}

const joinHtml = (parts: readonly Html[], separator = ' or '): Html =>
  html`${parts.map((part, index) => html`${index > 0 && separator}${part}`)}`

const component = (name: string, schema: Schema): Html => html`<article id="schema-${name}">
<h3>${name}</h3>
${schema.description && html`<p>${withCode(schema.description)}</p>`}
${schema.properties ? fields(`Fields of ${name}`, fieldsOf(schema)) : html`<p>${typeOf(schema)}</p>`}
<details><summary>Example</summary><pre tabindex="0" role="region" aria-label="Example of ${name}">${JSON.stringify(schema.examples?.[0], null, 2)}</pre></details>
</article>
`

/** Turns `code` between backticks into markup. */
const withCode = (text: string): Html =>
  html`${text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`

const conventions = html`<section><h2 class="part" id="errors">Errors</h2>
<p>Every error has the body <a href="#schema-ErrorBody">ErrorBody</a>, and with status 422 also says which field is wrong and why
(<a href="#schema-ValidationErrorBody">ValidationErrorBody</a>). What does not exist and what you may not see are both
<code>not_found</code>. 429 and 503 say in <code>Retry-After</code> how many seconds to wait. Each answer has an
<code>X-Request-Id</code>, which the service's log has too.</p>
<h2 class="part" id="lists">Lists and repeated requests</h2>
<p>Lists come in pages: while <code>has_more</code> is true, the next page is the same request with <code>cursor</code> set to
<code>next_cursor</code>. A request that creates something takes the header <code>Idempotency-Key</code>: sent again with the
same key within 24 hours, it gives the first result and creates nothing.</p></section>
`
