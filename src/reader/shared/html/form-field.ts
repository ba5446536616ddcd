// What a field of a form shows.

/** The text of a form field: a checkbox, or its value. */
export function fieldText({ type = 'text', checked, value = '' }: Record<string, string>): string {
  if (/^(?:checkbox|radio)$/i.test(type)) return checked === undefined ? '☐' : '☒'
  return /^(?:text|search|email|tel|url|number|date|time|datetime-local|month|week)$/i.test(type) ? value : ''
}
