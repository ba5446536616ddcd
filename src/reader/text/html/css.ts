// Reads the layout properties in style sheets. They show which inline elements are separate from the words around them
// (a form field, a date on the right) although there is no space in between: "SurnameADEYEMI".

/** The relevant properties that are set. */
type Properties = Readonly<Record<string, string>>

interface Compound {
  /** How the previous part is related: any ancestor, or the parent. */
  isChild: boolean
  name: string
  id: string
  classes: readonly string[]
}

interface Rule {
  order: number
  /** From the element upwards. */
  chain: readonly Compound[]
  properties: Properties
}

export interface StyleSheet {
  /** Rules by the first condition in the last part of their selectors: a class, an id or a name. */
  rules: ReadonlyMap<string, readonly Rule[]>
}

export interface StyledElement {
  name: string
  id: string
  classes: readonly string[]
  properties: Properties
}

const PROPERTY =
  /^(?:display|float|position|flex-direction|(?:min-)?width|height|border|vertical-align|(?:margin|padding)(?:-left|-right)?)$/
// The sheets of saved pages have thousands of rules, most of them for colours.
const MOST_CHARACTERS = 2_000_000
const MOST_RULES_A_KEY = 50
const MOST_CLASSES = 20
const MOST_ANCESTORS = 50

/** The layout rules in a page's own sheets, except those for print or small screens. */
export function readSheets(html: string): StyleSheet {
  const rules = new Map<string, Rule[]>()
  let order = 0
  let characters = 0
  for (const [, sheet = ''] of html.matchAll(/<style(?![a-z])[^>]{0,300}>([^<]*)/gi)) {
    characters += sheet.length
    if (characters > MOST_CHARACTERS) break
    for (const { selectors, body } of topRules(sheet)) {
      const properties = readProperties(body)
      if (Object.keys(properties).length === 0) continue
      for (const selector of selectors.split(',')) {
        const chain = readSelector(selector)
        const [last] = chain
        if (last === undefined) continue
        const key = last.classes[0] ?? (last.id || last.name)
        const known = rules.get(key) ?? []
        rules.set(key, known)
        if (known.length < MOST_RULES_A_KEY) known.push({ order: order++, chain, properties })
      }
    }
  }
  return { rules }
}

/** The rules with their bodies, except those nested in other rules (@media). */
function topRules(sheet: string): { selectors: string; body: string }[] {
  const plain = sheet.replace(/\/\*[^*]*(?:\*(?!\/)[^*]*)*(?:\*\/|$)/g, '')
  const found: { selectors: string; body: string }[] = []
  let [depth, from, open] = [0, 0, 0]
  for (const { 0: brace, index } of plain.matchAll(/[{}]/g)) {
    if (brace === '{' && depth++ === 0) open = index
    if (brace === '{' || depth === 0) continue
    depth--
    if (depth > 0) continue
    // After rules without a block (@import).
    const selectors = plain.slice(from, open).split(';').at(-1) ?? ''
    from = index + 1
    if (!selectors.trim().startsWith('@')) found.push({ selectors, body: plain.slice(open + 1, index) })
  }
  return found
}

/** The properties in a style attribute or the body of a rule. */
export function readProperties(body: string): Properties {
  const found: Record<string, string> = {}
  for (const declaration of body.split(';')) {
    const at = declaration.indexOf(':')
    const name = declaration.slice(0, Math.max(0, at)).trim().toLowerCase()
    if (!PROPERTY.test(name)) continue
    found[name] = declaration
      .slice(at + 1)
      .replace(/!important/i, '')
      .trim()
      .toLowerCase()
  }
  return found
}

const COMPOUND = /^([a-z][\w-]*|\*)?((?:[.#][\w-]+)*)$/i

/** A selector of nested names, classes and ids; undefined for others (:hover, [type], +). */
function readSelector(selector: string): Compound[] {
  const chain: Compound[] = []
  let isChild = false
  for (const part of selector
    .trim()
    .replace(/\s*>\s*/g, ' > ')
    .split(/\s+/)) {
    if (part === '>') {
      isChild = true
      continue
    }
    const found = COMPOUND.exec(part)
    if (part === '' || found === null) return []
    const [, name = '', marks = ''] = found
    chain.unshift({
      isChild,
      name: name === '*' ? '' : name.toLowerCase(),
      id: /#([\w-]+)/.exec(marks)?.[1] ?? '',
      classes: [...marks.matchAll(/\.([\w-]+)/g)].map(([, one = '']) => one),
    })
    isChild = false
  }
  return chain
}

/**
 * The element with its properties from the sheet and its own attribute; `above` are its ancestors, the nearest last.
 */
export function styled(
  { rules }: StyleSheet,
  name: string,
  attributes: Record<string, string>,
  above: readonly { element: StyledElement }[],
): StyledElement {
  const classes =
    rules.size === 0 ? [] : (attributes.class ?? '').split(/\s+/, MOST_CLASSES).filter((one) => one !== '')
  const element = { name, id: attributes.id ?? '', classes }
  const found = [...classes, element.id, name]
    .flatMap((key) => rules.get(key) ?? [])
    .filter(({ chain }) => matches(chain, element, above))
    .sort((a, b) => a.order - b.order)
  const own = attributes.style === undefined ? {} : readProperties(attributes.style)
  return { ...element, properties: Object.assign({}, ...found.map((rule) => rule.properties), own) }
}

type Plain = Omit<StyledElement, 'properties'>

function matches(
  [last, ...rest]: readonly Compound[],
  element: Plain,
  above: readonly { element: Plain }[],
): boolean {
  if (last === undefined || !isOne(last, element)) return false
  let at = above.length
  let isChild = last.isChild
  for (const compound of rest) {
    const least = isChild ? at - 1 : Math.max(0, above.length - MOST_ANCESTORS)
    at = nearest(above, compound, at, least)
    if (at === -1) return false
    isChild = compound.isChild
  }
  return true
}

/** The index of the nearest matching ancestor before `end`, not before `least`; -1 if there is none. */
function nearest(
  above: readonly { element: Plain }[],
  compound: Compound,
  end: number,
  least: number,
): number {
  for (let at = end - 1; at >= least; at--) {
    const one = above[at]
    if (one !== undefined && isOne(compound, one.element)) return at
  }
  return -1
}

const isOne = ({ name, id, classes }: Compound, element: Plain): boolean =>
  (name === '' || name === element.name) &&
  (id === '' || id === element.id) &&
  classes.every((one) => element.classes.includes(one))
