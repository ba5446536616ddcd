// HTML written as templates in which everything that is put in is escaped, unless it is such a template itself.

const MARKUP = Symbol('markup')

/** Markup made by `html`; nothing else can be one, so no text of a stranger passes for it. */
export interface Html {
  readonly [MARKUP]: string
}

/** What stands for nothing is left out: `condition && html…`. */
export type HtmlValue = Html | string | number | false | null | undefined | readonly HtmlValue[]

/** Text and quoted attributes are safe; always quote attributes, and put no stranger's address into `href`. */
export function html(parts: TemplateStringsArray, ...values: HtmlValue[]): Html {
  const [first = '', ...rest] = parts
  return { [MARKUP]: rest.reduce((made, part, at) => made + render(values[at]) + part, first) }
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
const escapeText = (text: string): string => text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign)
