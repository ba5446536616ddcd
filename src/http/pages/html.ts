// HTML as template literals. Every inserted value is escaped, unless it is the result of such a template itself.

const MARKUP = Symbol('markup')

/** Markup produced by `html`. The symbol ensures that no other value, such as parsed user input, passes for it. */
export interface Html {
  readonly [MARKUP]: string
}

/** false, null and undefined are omitted: `condition && html…`. */
export type HtmlValue = Html | string | number | false | null | undefined | readonly HtmlValue[]

/** Escapes text and quoted attributes. Always quote attributes, and never insert untrusted URLs into `href`. */
export function html(parts: TemplateStringsArray, ...values: HtmlValue[]): Html {
  const [firstPart = '', ...rest] = parts
  return { [MARKUP]: rest.reduce((markup, part, index) => markup + render(values[index]) + part, firstPart) }
}

export const markupOf = (value: Html): string => value[MARKUP]

function render(value: HtmlValue): string {
  if (value === false || value === null || value === undefined) return ''
  if (typeof value === 'string') return escapeText(value)
  if (typeof value === 'number') return String(value)
  return isHtml(value) ? value[MARKUP] : value.map(render).join('')
}

const isHtml = (value: Html | readonly HtmlValue[]): value is Html => MARKUP in value

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escapeText = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
