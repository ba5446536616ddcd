// What style sheets tell of a page's layout: an element in the line that stands apart from the words beside it (a field of
// a form, a date on the right), one that is a line of its own, and an empty square to be ticked. The page has no space
// between them: "SurnameADEYEMI".

/** Of the properties that matter here, those that are set. */
type Properties = Readonly<Record<string, string>>

interface Compound {
  /** How the one before is related: any ancestor, or the parent. */
  isChild: boolean
  name: string
  id: string
  classes: readonly string[]
}

interface Rule {
  order: number
  /** From the element up. */
  chain: readonly Compound[]
  properties: Properties
}

export interface StyleSheet {
  /** By what the last part of their selectors asks for first: a class, an id or a name. */
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
// Sheets of saved pages have thousands of rules, most of them of colours.
const MOST_CHARACTERS = 2_000_000
const MOST_RULES_A_KEY = 50
const MOST_CLASSES = 20
const MOST_ANCESTORS = 50

/** The rules of a page's own sheets that say something about layout; those for paper or small screens are left out. */
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

/** Rules with their bodies, but for those in the block of another (@media). */
function topRules(sheet: string): { selectors: string; body: string }[] {
  const plain = sheet.replace(/\/\*[^*]*(?:\*(?!\/)[^*]*)*(?:\*\/|$)/g, '')
  const found: { selectors: string; body: string }[] = []
  let [depth, from, open] = [0, 0, 0]
  for (const { 0: brace, index } of plain.matchAll(/[{}]/g)) {
    if (brace === '{' && depth++ === 0) open = index
    if (brace === '{' || depth === 0) continue
    depth--
    if (depth > 0) continue
    // Behind what stands without a block (@import).
    const selectors = plain.slice(from, open).split(';').at(-1) ?? ''
    from = index + 1
    if (!selectors.trim().startsWith('@')) found.push({ selectors, body: plain.slice(open + 1, index) })
  }
  return found
}

/** What a style attribute or the body of a rule sets. */
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

/** Names, classes and ids below one another; nothing of a selector that asks for more (:hover, [type], +). */
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

/** The element with what the sheet and its own attribute set; `above` hold those it stands in, the nearest last. */
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

/** Where the nearest such element before `end` stands, looked for back to `least`; -1 where none does. */
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
