// Parses the lines of iCalendar into components with properties ([RFC 5545] 3.1). No package is used, because ts-ics reads times
// without a zone as UTC, and the licence of ical.js is the MPL.

export interface Component {
  /** The name in capitals, such as VEVENT. */
  name: string
  properties: Property[]
  components: Component[]
}

export interface Property {
  name: string
  /** The parameters, with names in capitals. */
  parameters: ReadonlyMap<string, string>
  value: string
}

const MAX_DEPTH = 20
// The limit for the name and parameters of a line, because the pattern needs memory for each character.
const MAX_HEAD_CHARACTERS = 1 << 16
const HEAD = /^([\w-]+)((?:;[\w-]+=(?:"[^"]*"|[^";:])*)*):/
const PARAMETER = /;([\w-]+)=((?:"[^"]*"|[^";:])*)/g

/** The outermost components of a text. */
export function readComponents(text: string): Component[] {
  const root: Component = { name: '', properties: [], components: [] }
  const openComponents = [root]
  // A line that begins with a space continues the line before, so both are joined first.
  for (const line of text
    .replace(/\r\n?/g, '\n')
    .replace(/\n[ \t]/g, '')
    .split('\n')) {
    const property = propertyOf(line)
    if (property === undefined) continue
    const { name, value } = property
    if (name === 'BEGIN') {
      const component = { name: value.trim().toUpperCase(), properties: [], components: [] }
      if (openComponents.length < MAX_DEPTH) openComponents.at(-1)?.components.push(component)
      openComponents.push(component)
    } else if (name !== 'END') openComponents.at(-1)?.properties.push(property)
    else if (openComponents.length > 1) openComponents.pop()
  }
  return root.components
}

function propertyOf(line: string): Property | undefined {
  const [head = '', name = '', parameters = ''] = HEAD.exec(line.slice(0, MAX_HEAD_CHARACTERS)) ?? []
  if (name === '') return undefined
  return {
    name: name.toUpperCase(),
    parameters: new Map(
      [...parameters.matchAll(PARAMETER)].map(([, key = '', text = '']) => [
        key.toUpperCase(),
        text.replaceAll('"', ''),
      ]),
    ),
    value: line.slice(head.length),
  }
}

/** The text of a value without its escapes. */
export const plainText = (value = ''): string =>
  value.replace(/\\([nN,;\\])/g, (_, character: string) => (/n/i.test(character) ? '\n' : character)).trim()
