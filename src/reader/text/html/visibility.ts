// Which text of a page nobody sees: hidden elements, letters of a pixel, letters in the colour of their background. Tabs and
// other parts that a class hides are not: a click shows them.

export interface Look {
  /** Red, green, blue; undefined when a style sheet elsewhere may decide. */
  colour: Colour | undefined
  background: Colour | undefined
  /** Pixels. */
  size: number
  /** Whether a style sheet in another file may give elements a background. */
  isLinked: boolean
}

type Colour = readonly [number, number, number]

type Attributes = Readonly<Record<string, string>>

/** Declarations of a style, by name in lower case. */
type Style = ReadonlyMap<string, string>

interface Rule {
  tag: string
  names: readonly string[]
  style: Style
}

/** The rules of a page that may change how its text looks, by a name or tag that they apply to. */
export type StyleSheet = Map<string, Rule[]>

const WHITE: Colour = [255, 255, 255]
const BLACK: Colour = [0, 0, 0]
const DEFAULT_SIZE = 16
const MAX_HIDDEN_SIZE = 1
/** Of 255 in each primary. */
const SAME_COLOUR = 16
const MAX_HIDDEN_OPACITY = 0.05
const MAX_RULES = 5000
// Pixels left of or above the page.
const OFF_SCREEN = -500

// Style sheets often colour all elements of these tags.
const STYLED_TAGS = /^(?:t[rdh]|thead|h\d|a|button|header|footer|section)$/
const LINKED_SHEET = /<link\b[^>]{0,500}\bstylesheet\b/i

/** How text looks before any element says otherwise. */
export function pageLook(html: string): Look {
  const isLinked = LINKED_SHEET.test(html)
  return { colour: BLACK, background: isLinked ? undefined : WHITE, size: DEFAULT_SIZE, isLinked }
}

/** The rules of all style sheets in a page. */
export function pageSheet(html: string): StyleSheet {
  const sheet: StyleSheet = new Map()
  const lower = html.includes('<STYLE') || html.includes('<Style') ? html.toLowerCase() : html
  for (let at = lower.indexOf('<style'); at !== -1; at = lower.indexOf('<style', at)) {
    const begin = lower.indexOf('>', at)
    const end = begin === -1 ? -1 : lower.indexOf('</style', begin)
    if (end === -1) break
    addRules(sheet, html.slice(begin + 1, end))
    at = end
  }
  return sheet
}

export const isHiddenLook = ({ colour, background, size }: Look): boolean =>
  size <= MAX_HIDDEN_SIZE || (colour !== undefined && background !== undefined && isSame(colour, background))

const isSame = (a: Colour, b: Colour): boolean =>
  a.every((value, i) => Math.abs(value - (b[i] ?? 0)) <= SAME_COLOUR)

/** Whether an element is hidden with all that is in it, whatever that says. */
export function isHiddenElement(attributes: Attributes): boolean {
  // Browsers show what is hidden "until found" to those who search for it.
  if (attributes.hidden !== undefined && attributes.hidden.toLowerCase() !== 'until-found') return true
  if (attributes.style === undefined) return false
  const style = styleOf(attributes.style)
  const has = (name: string, value: RegExp): boolean => value.test(style.get(name) ?? '')
  if (has('display', /^none\b/) || has('visibility', /^(?:hidden|collapse)\b/) || has('mso-hide', /^all\b/))
    return true
  if (style.has('opacity') && Number.parseFloat(style.get('opacity') ?? '') <= MAX_HIDDEN_OPACITY) return true
  if (has('clip', /^rect\(\s*(?:0|1px)(?:px)?[\s,]+(?:0|1px)/) || has('clip-path', /^inset\(\s*(?:50|100)%/))
    return true
  if (has('transform', /\bscale\(\s*0(?:\.0\d*)?\s*[,)]/)) return true
  const isApart = has('position', /^(?:absolute|fixed)\b/)
  const places = isApart ? ['left', 'top', 'right', 'bottom', 'margin-left', 'text-indent'] : ['text-indent']
  if (places.some((name) => (pixels(style.get(name), DEFAULT_SIZE) ?? 0) <= OFF_SCREEN)) return true
  return (
    has('overflow', /^(?:hidden|clip)\b/) &&
    ['width', 'height', 'max-height', 'max-width'].some((name) => pixels(style.get(name), DEFAULT_SIZE) === 0)
  )
}

/** How text in an element looks; the same object when it looks as around it. */
export function lookIn(outer: Look, name: string, attributes: Attributes, sheet: StyleSheet): Look {
  const { style, bgcolor, color } = attributes
  const rules = sheet.size === 0 ? [] : rulesFor(name, attributes, sheet)
  const isStyledElsewhere =
    outer.isLinked &&
    outer.background !== undefined &&
    (attributes.class !== undefined || attributes.id !== undefined || STYLED_TAGS.test(name))
  if (
    style === undefined &&
    rules.length === 0 &&
    bgcolor === undefined &&
    color === undefined &&
    !isStyledElsewhere
  )
    return outer
  const look = { ...outer }
  if (isStyledElsewhere) look.background = undefined
  if (bgcolor !== undefined) look.background = colourOf(bgcolor)
  if (color !== undefined && name === 'font') look.colour = colourOf(color)
  for (const rule of rules) apply(look, rule.style, outer)
  if (style !== undefined) apply(look, styleOf(style), outer)
  return look
}

function apply(look: Look, style: Style, outer: Look): void {
  const colour = style.get('color')
  if (colour !== undefined && !/^(?:inherit|unset|currentcolor)\b/.test(colour))
    look.colour = isTransparent(colour) ? look.background : colourOf(colour)
  for (const name of ['background', 'background-color', 'background-image']) {
    const value = style.get(name)
    if (value === undefined || /^(?:none|inherit|initial|unset)\b/.test(value) || isTransparent(value))
      continue
    // Of a picture or a gradient the colour is not known.
    look.background = /url\(|gradient\(/.test(value)
      ? undefined
      : value
          .split(/\s+(?![^(]*\))/)
          .map(colourOf)
          .find(Boolean)
  }
  const size = pixels(style.get('font-size') ?? fontSize(style.get('font')), outer.size)
  if (size !== undefined) look.size = size
}

const fontSize = (font: string | undefined): string | undefined =>
  /(?:^|\s)([\d.]+(?:px|pt|em|rem|%))/.exec(font ?? '')?.[1]

const UNITS: Readonly<Record<string, number>> = {
  px: 1,
  pt: 4 / 3,
  in: 96,
  cm: 37.8,
  mm: 3.78,
  rem: DEFAULT_SIZE,
  '': 1,
}

/** A length in pixels; undefined for names such as "small". `size`: that of the text around, for relative lengths. */
function pixels(value: string | undefined, size: number): number | undefined {
  const [, number, unit = ''] =
    /^(-?(?:\d+\.?\d*|\.\d+))(px|pt|in|cm|mm|rem|em|%|)(?=\s|$)/.exec(value ?? '') ?? []
  if (number === undefined) return undefined
  const factor = unit === 'em' ? size : unit === '%' ? size / 100 : (UNITS[unit] ?? 1)
  return Number(number) * factor
}

function styleOf(text: string): Style {
  const style = new Map<string, string>()
  for (const declaration of text.split(';')) {
    const colon = declaration.indexOf(':')
    if (colon < 0) continue
    const value = declaration
      .slice(colon + 1)
      .replace(/!\s*important/i, '')
      .trim()
      .toLowerCase()
    style.set(declaration.slice(0, colon).trim().toLowerCase(), value)
  }
  return style
}

const NAMED: Readonly<Record<string, Colour>> = {
  white: WHITE,
  black: BLACK,
  snow: [255, 250, 250],
  ivory: [255, 255, 240],
  ghostwhite: [248, 248, 255],
  whitesmoke: [245, 245, 245],
  silver: [192, 192, 192],
  gray: [128, 128, 128],
  grey: [128, 128, 128],
  red: [255, 0, 0],
  maroon: [128, 0, 0],
  yellow: [255, 255, 0],
  olive: [128, 128, 0],
  lime: [0, 255, 0],
  green: [0, 128, 0],
  aqua: [0, 255, 255],
  teal: [0, 128, 128],
  blue: [0, 0, 255],
  navy: [0, 0, 128],
  fuchsia: [255, 0, 255],
  purple: [128, 0, 128],
}

const isTransparent = (value: string): boolean =>
  /^transparent\b/.test(value) ||
  (/^(?:rgba?|hsla?)\([^)]*[,/]\s*0?\.?0+%?\s*\)$/.test(value) && /^(?:rgba|hsla)|\//.test(value))

/** Undefined for a colour that is not understood. */
function colourOf(value: string): Colour | undefined {
  const text = value.trim().toLowerCase()
  const named = NAMED[text]
  if (named !== undefined) return named
  const [, hex] = /^#?([\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/.exec(text) ?? []
  if (hex !== undefined) {
    const long = hex.length < 6 ? [...hex].map((digit) => digit + digit).join('') : hex
    const [red = 0, green = 0, blue = 0] = Buffer.from(long.slice(0, 6), 'hex')
    return [red, green, blue]
  }
  const [, list] = /^rgba?\(([^)]*)\)$/.exec(text) ?? []
  const parts = (list ?? '').split(/[\s,/]+/).filter(Boolean)
  if (parts.length < 3) return undefined
  const [red = 0, green = 0, blue = 0] = parts.map(
    (part) => Number.parseFloat(part) * (part.endsWith('%') ? 2.55 : 1),
  )
  return [red, green, blue].every(Number.isFinite) ? [red, green, blue] : undefined
}

const LOOKS = /(?:^|[;{\s])(?:color|background(?:-color|-image)?|font(?:-size)?)\s*:/i
const SIMPLE = /^([a-z][a-z\d]*|\*)?((?:[.#][\w-]+)*)$/i

/** Adds the rules of one style sheet. Of rules with conditions only a background counts, as one that is not known. */
function addRules(sheet: StyleSheet, css: string): void {
  let count = 0
  for (const piece of css.replace(/\/\*[\s\S]*?\*\/|<!--|-->/g, ' ').split('}')) {
    const [selectors = '', declarations] = piece.split('{').slice(-2)
    if (declarations === undefined || !LOOKS.test(declarations)) continue
    for (const selector of selectors.split(',')) {
      if (++count > MAX_RULES) return
      addRule(sheet, selector.trim(), styleOf(declarations))
    }
  }
}

function addRule(sheet: StyleSheet, selector: string, style: Style): void {
  const simple = SIMPLE.exec(selector)
  const compound = simple ?? SIMPLE.exec((selector.split(/[\s>+~]+/).at(-1) ?? '').replace(/:.*$|\[.*$/, ''))
  if (compound === null) return
  const hasBackground = [...style.keys()].some((name) => name.startsWith('background'))
  if (simple === null && !hasBackground) return
  const tag = (compound[1] ?? '*').toLowerCase()
  const names = compound[2]?.match(/[.#][\w-]+/g) ?? []
  const key = names[0] ?? tag
  const rule = { tag, names, style: simple === null ? new Map([['background', 'url()']]) : style }
  const rules = sheet.get(key)
  if (rules === undefined) sheet.set(key, [rule])
  else rules.push(rule)
}

function rulesFor(name: string, { class: classes = '', id }: Attributes, sheet: StyleSheet): Rule[] {
  const own = new Set(
    classes
      .split(/\s+/)
      .filter(Boolean)
      .map((one) => `.${one}`),
  )
  if (id !== undefined) own.add(`#${id}`)
  return ['*', name, ...own]
    .flatMap((key) => sheet.get(key) ?? [])
    .filter(({ tag, names }) => (tag === '*' || tag === name) && names.every((one) => own.has(one)))
}
