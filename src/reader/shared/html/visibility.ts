// Finds text of a page that nobody sees: hidden elements, letters as small as a pixel, letters in the colour of their
// background. Tabs and other parts that a class hides are not included, because a click shows them.

import { withoutComments } from './css-comments.ts'

export interface Look {
  /** Red, green and blue; undefined if it is unknown. */
  colour: Colour | undefined
  background: Colour | undefined
  /** The height of letters in pixels. */
  size: number
  /** Whether a style sheet that is not read may change the look of elements. */
  hasUnreadSheet: boolean
  /** Whether the page has scripts, which may show elements that a style only fades, shrinks or moves. */
  hasScripts: boolean
}

type Colour = readonly [number, number, number]

type Attributes = Readonly<Record<string, string>>

/** Declarations of a style, by name in lower case. */
type Style = ReadonlyMap<string, string>

/** What a style changes in the look of text. A colour that cannot be read has the value undefined. */
interface Change {
  /** Whether the style has any property of a colour, a background or a font. */
  has: Record<'colour' | 'background' | 'size', boolean>
  /** Whether text is positioned where other things may be behind it. */
  isPositioned: boolean
  /** Whether a text effect gives letters another colour than `color`, or draws something behind them. */
  hasTextEffect: boolean
  /** 'none' for letters through which the background is visible. */
  colour?: { value: Colour | undefined | 'none' }
  /** 'none' for the background of the enclosing element. */
  background?: { value: Colour | undefined | 'none' }
  size?: Length
}

interface Length {
  number: number
  /** Pixels, or multiples of the text size of the enclosing element. */
  unit: 'pixels' | 'em'
}

interface Rule {
  /** The tag to which it applies, or "*". */
  tag: string
  /** The classes and ids that an element must have: ".note", "#top". */
  names: readonly string[]
  change: Change
  /** The changes that override the style of an element itself. */
  important: Change
  /** Whether the rule applies only in some states of the page, so that its effect is unknown. */
  isConditional: boolean
  /** A rule overrides others of lower specificity, and earlier ones of the same specificity. */
  specificity: number
  order: number
}

/** The rules of a page that may change the look of text. */
export interface StyleSheet {
  /** The rules by one class, id or tag to which they apply. */
  rules: Map<string, Rule[]>
  /** A cache: the rules that apply to elements with a certain tag, classes and id. */
  matches: Map<string, readonly Rule[]>
  /** Whether there are more rules than are read, or rules in other files. */
  isPartial: boolean
  /** Whether a rule places elements over or under others. */
  isLayered: boolean
}

const WHITE: Colour = [255, 255, 255]
const BLACK: Colour = [0, 0, 0]
const DEFAULT_SIZE = 16
const MAX_HIDDEN_SIZE = 1
/** The maximum difference of equal colours, of 255 in each primary colour. */
const MAX_COLOUR_DIFFERENCE = 16
const MAX_HIDDEN_OPACITY = 0.05
const MAX_RULES = 5000
// Pixels left of or above the page.
const OFF_SCREEN = -500

// Tags of words inside a line, which style sheets rarely colour by their tag.
const INLINE_TAGS = /^(?:b|i|em|strong|u|s|br|font|small|big|sub|sup|tt)$/
// Browsers give these elements their own colours.
const COLOURED_TAGS = /^(?:button|input|select|textarea|option|mark|dialog)$/
const LINKED_SHEET = /<link\b[^>]{0,500}\bstylesheet\b/i
// A page with this property is light or dark depending on the reader's settings.
const COLOUR_SCHEME = /(?<!prefers-)color-scheme\b/i
// An element whose own style positions it freely, with its name and attributes.
const POSITIONED_TAG = /<(\w+)\b([^<>]{0,2000}\bposition\s*:\s*(?:absolute|fixed)[^<>]{0,2000})>/gi
const PICTURE_TAGS = /^(?:img|video|svg|picture|canvas|iframe|object|embed)$/i

/** The look of text outside of all elements that change it. */
export function pageLook(html: string, sheet: StyleSheet): Look {
  const hasUnreadSheet = sheet.isPartial || LINKED_SHEET.test(html)
  const isUnknown = hasUnreadSheet || COLOUR_SCHEME.test(html)
  return {
    colour: isUnknown ? undefined : BLACK,
    background: isUnknown || sheet.isLayered || hasPositionedElements(html) ? undefined : WHITE,
    size: DEFAULT_SIZE,
    hasUnreadSheet,
    hasScripts: /<script\b/i.test(html),
  }
}

/** Whether pictures or coloured elements are positioned freely, so that text may be on top of them. */
function hasPositionedElements(html: string): boolean {
  for (const [, name = '', attributes = ''] of html.matchAll(POSITIONED_TAG))
    if (PICTURE_TAGS.test(name) || /\bbackground/i.test(attributes)) return true
  return false
}

/** The rules of all style sheets in a page. */
export function pageSheet(html: string): StyleSheet {
  const sheet: StyleSheet = { rules: new Map(), matches: new Map(), isPartial: false, isLayered: false }
  const lowerCaseHtml = html.includes('<STYLE') || html.includes('<Style') ? html.toLowerCase() : html
  let text = ''
  for (let at = lowerCaseHtml.indexOf('<style'); at !== -1; at = lowerCaseHtml.indexOf('<style', at)) {
    const tagEnd = lowerCaseHtml.indexOf('>', at)
    const end = tagEnd === -1 ? -1 : lowerCaseHtml.indexOf('</style', tagEnd)
    if (end === -1) break
    const css = html.slice(tagEnd + 1, end)
    // The sheet may be for some media only, like one in "@media".
    text += /\bmedia\s*=/i.test(html.slice(at, tagEnd)) ? `@media{${css}}` : css
    text += '\n'
    at = end
  }
  if (text !== '') addRules(sheet, text)
  return sheet
}

export const isHiddenLook = ({ colour, background, size }: Look): boolean =>
  size <= MAX_HIDDEN_SIZE || (colour !== undefined && background !== undefined && isSame(colour, background))

const isSame = (a: Colour, b: Colour): boolean =>
  a.every((value, i) => Math.abs(value - (b[i] ?? 0)) <= MAX_COLOUR_DIFFERENCE)

/** Whether an element is hidden with all of its content, whatever the style of that content says. */
export function isHiddenElement(attributes: Attributes, { hasScripts }: Look): boolean {
  // Browsers show elements hidden "until found" to people who search for their text.
  if (attributes.hidden !== undefined && attributes.hidden.toLowerCase() !== 'until-found') return true
  if (attributes.style === undefined) return false
  const style = styleOf(attributes.style)
  const has = (name: string, value: RegExp): boolean => value.test(style.get(name) ?? '')
  if (has('display', /^none\b/) || has('visibility', /^(?:hidden|collapse)\b/) || has('mso-hide', /^all\b/))
    return true
  // Scripts and animations show elements that are at first transparent, closed or moved off the screen.
  if (hasScripts || [...style.keys()].some((name) => /^(?:animation|transition)/.test(name))) return false
  if (style.has('opacity') && Number.parseFloat(style.get('opacity') ?? '') <= MAX_HIDDEN_OPACITY) return true
  // An empty clipping area, or one of a pixel: "rect(0, 0, 0, 0)", "inset(50%)".
  if (has('clip', /^rect\(\s*(?:0|1px)(?:px)?[\s,]+(?:0|1px)/) || has('clip-path', /^inset\(\s*(?:50|100)%/))
    return true
  if (has('transform', /\bscale\(\s*0(?:\.0\d*)?\s*[,)]/)) return true
  const isFree = has('position', /^(?:absolute|fixed)\b/)
  const offsets = isFree ? ['left', 'top', 'right', 'bottom', 'margin-left', 'text-indent'] : ['text-indent']
  if (offsets.some((name) => (pixels(style.get(name)) ?? 0) <= OFF_SCREEN)) return true
  return (
    has('overflow', /^(?:hidden|clip)\b/) &&
    ['width', 'height', 'max-height', 'max-width'].some((name) => pixels(style.get(name)) === 0)
  )
}

/** The look of text in an element inside one with the look `outer`. Returns `outer` itself if nothing changes. */
export function lookIn(outer: Look, name: string, attributes: Attributes, sheet: StyleSheet): Look {
  const { style, bgcolor, color, background, text } = attributes
  const rules = sheet.rules.size === 0 ? [] : rulesFor(name, attributes, sheet)
  const isColouredByTag = COLOURED_TAGS.test(name) || (name === 'a' && attributes.href !== undefined)
  const isStyledElsewhere =
    outer.hasUnreadSheet &&
    (attributes.class !== undefined || attributes.id !== undefined || !INLINE_TAGS.test(name))
  const hasStyle = [style, bgcolor, color, background, text].some((value) => value !== undefined)
  if (rules.length === 0 && !hasStyle && !isColouredByTag && !isStyledElsewhere) return outer
  const look = { ...outer }
  if (isStyledElsewhere || isColouredByTag) look.colour = undefined
  if (isStyledElsewhere || COLOURED_TAGS.test(name)) look.background = undefined
  if (isStyledElsewhere) look.size = DEFAULT_SIZE
  if (bgcolor !== undefined) look.background = colourOf(bgcolor)
  if (background !== undefined) look.background = undefined
  if (color !== undefined && name === 'font') look.colour = colourOf(color)
  if (text !== undefined && name === 'body') look.colour = colourOf(text)
  for (const rule of rules) applyRule(look, rule, rule.change, outer)
  if (style !== undefined) applyChange(look, changeOf(styleOf(style)), outer)
  for (const rule of rules) applyRule(look, rule, rule.important, outer)
  return look
}

/** Applies the change of a rule. What a conditional rule changes becomes unknown. */
function applyRule(look: Look, { isConditional }: Rule, change: Change, outer: Look): void {
  if (!isConditional) {
    applyChange(look, change, outer)
    return
  }
  if (change.has.background) look.background = undefined
  if (change.has.size) look.size = Math.max(look.size, DEFAULT_SIZE)
  if (change.has.colour) look.colour = undefined
}

function applyChange(
  look: Look,
  { isPositioned, hasTextEffect, colour, background, size }: Change,
  outer: Look,
): void {
  if (isPositioned) look.background = undefined
  if (colour !== undefined) look.colour = colour.value === 'none' ? look.background : colour.value
  if (background !== undefined)
    look.background = background.value === 'none' ? outer.background : background.value
  if (hasTextEffect) look.colour = undefined
  if (size !== undefined) look.size = size.number * (size.unit === 'em' ? outer.size : 1)
}

const TEXT_EFFECT = /^(?:text-shadow|-webkit-text-|mix-blend-mode|filter)/
// Text that is positioned freely may be on top of anything.
const FREELY_POSITIONED = /^(?:absolute|fixed|sticky)\b/
const SIDES = ['left', 'top', 'right', 'bottom']

function changeOf(style: Style): Change {
  const names = [...style.keys()]
  const groupOf = (name: string): keyof Change['has'] =>
    name.startsWith('background') ? 'background' : name.startsWith('font') ? 'size' : 'colour'
  const colour = style.get('color')
  const background = backgroundOf(style)
  const size = lengthOf(style.get('font-size') ?? fontSize(style.get('font')))
  return {
    has: {
      colour: names.some((name) => groupOf(name) === 'colour'),
      background: names.some((name) => groupOf(name) === 'background'),
      size: names.some((name) => groupOf(name) === 'size'),
    },
    isPositioned: mayOverlapOthers(style),
    hasTextEffect: names.some((name) => TEXT_EFFECT.test(name)),
    ...(colour === undefined || /^(?:inherit|unset|currentcolor)\b/.test(colour)
      ? {}
      : { colour: { value: isTransparent(colour) ? 'none' : colourOf(colour) } }),
    ...(background === undefined ? {} : { background }),
    ...(size === undefined ? {} : { size }),
  }
}

function backgroundOf(style: Style): Change['background'] {
  let background: Change['background']
  for (const name of ['background', 'background-color', 'background-image']) {
    const value = style.get(name)
    if (value === undefined) continue
    if (/^(?:none|inherit|initial|unset)\b/.test(value) || isTransparent(value)) {
      if (name !== 'background-image') background = { value: 'none' }
      continue
    }
    // The colour of a picture or a gradient is unknown.
    background = {
      value: /url\(|gradient\(/.test(value)
        ? undefined
        : value
            .split(/\s+(?![^(]*\))/)
            .map(colourOf)
            .find(Boolean),
    }
  }
  return background
}

function mayOverlapOthers(style: Style): boolean {
  const position = style.get('position') ?? ''
  if (FREELY_POSITIONED.test(position) || (position === 'relative' && SIDES.some((side) => style.has(side))))
    return true
  return [...style].some(([name, value]) => name.startsWith('margin') && /(?:^|\s)-[\d.]/.test(value))
}

const fontSize = (font: string | undefined): string | undefined =>
  /(?:^|\s)([\d.]+(?:px|pt|em|rem|%))/.exec(font ?? '')?.[1]

// Pixels per unit, at 96 pixels per inch.
const UNITS: Readonly<Record<string, number>> = {
  px: 1,
  pt: 4 / 3,
  in: 96,
  cm: 37.8,
  mm: 3.78,
  rem: DEFAULT_SIZE,
  '': 1,
}

/** The length of a value. Undefined for names such as "small". */
function lengthOf(value = ''): Length | undefined {
  const [, number, unit = ''] =
    /^(-?(?:\d+(?:\.\d*)?|\.\d+))(px|pt|in|cm|mm|rem|em|%|)(?=\s|$)/.exec(value) ?? []
  if (number === undefined) return undefined
  if (unit === 'em' || unit === '%') return { number: Number(number) / (unit === '%' ? 100 : 1), unit: 'em' }
  return { number: Number(number) * (UNITS[unit] ?? 1), unit: 'pixels' }
}

/** A length in pixels, for text of the default size. */
function pixels(value: string | undefined): number | undefined {
  const length = lengthOf(value)
  return length && length.number * (length.unit === 'em' ? DEFAULT_SIZE : 1)
}

// A longer value, such as a picture, counts as unknown, so that patterns of more than linear time can read values.
const MAX_VALUE_LENGTH = 200

/** The declarations of a style attribute or rule; only those with "!important" if `isImportantOnly`. */
function styleOf(text: string, isImportantOnly = false): Style {
  const style = new Map<string, string>()
  for (const declaration of text.split(';')) {
    const colon = declaration.indexOf(':')
    if (colon < 0 || (isImportantOnly && !/!\s*important/i.test(declaration))) continue
    const value = declaration
      .slice(colon + 1)
      .replace(/!\s*important/i, '')
      .trim()
    const name = declaration.slice(0, colon).trim().toLowerCase()
    style.set(name, value.length > MAX_VALUE_LENGTH ? '' : value.toLowerCase())
  }
  return style
}

const NAMED_COLOURS: Readonly<Record<string, Colour>> = {
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

/** Whether a value is "transparent" or has an opacity of 0: "rgba(0, 0, 0, 0)", "rgb(0 0 0 / 0%)". */
const isTransparent = (value: string): boolean =>
  /^transparent\b/.test(value) ||
  (/^(?:rgba?|hsla?)\([^)]*[,/]\s*0?\.?0+%?\s*\)$/.test(value) && /^(?:rgba|hsla)|\//.test(value))

/** The colour of a value. Undefined if it cannot be parsed. */
function colourOf(value: string): Colour | undefined {
  const text = value.trim().toLowerCase()
  const namedColour = NAMED_COLOURS[text]
  if (namedColour !== undefined) return namedColour
  const [, hex] = /^#?([\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/.exec(text) ?? []
  if (hex !== undefined) {
    const sixDigits = hex.length < 6 ? [...hex].map((digit) => digit + digit).join('') : hex
    const [red = 0, green = 0, blue = 0] = Buffer.from(sixDigits.slice(0, 6), 'hex')
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

const LOOK_PROPERTY =
  /(?:^|[;{\s])(?:color|background(?:-color|-image)?|font(?:-size)?|position|margin(?:-[a-z]+)?|text-shadow|-webkit-text-[a-z-]+|mix-blend-mode|filter)\s*:/i
const SIMPLE_SELECTOR = /^([a-z][a-z\d]*|\*)?((?:[.#][\w-]+)*)$/i

/**
 * Adds the rules of style sheets. A rule that depends on the element's position in the page, or that is inside a condition such
 * as "@media", is conditional.
 */
function addRules(sheet: StyleSheet, css: string): void {
  const cleaned = withoutComments(css).replace(/"[^"\n]*"|'[^'\n]*'/g, '""')
  if (/@import\b/i.test(cleaned)) sheet.isPartial = true
  let count = 0
  const preludes: (readonly string[])[] = []
  for (const [, text = '', brace] of cleaned.matchAll(/([^{}]*)([{}]|$)/g)) {
    // Text before a selector may be the end of a declaration in the enclosing rule.
    const parts = text.split(';')
    const declarations = brace === '{' ? parts.slice(0, -1).join(';') : text
    const selectors = preludes.at(-1) ?? []
    if (selectors.length > 0 && LOOK_PROPERTY.test(declarations)) {
      const style = styleOf(declarations)
      const [change, important] = [changeOf(style), changeOf(styleOf(declarations, true))]
      if (isLayer(style)) sheet.isLayered = true
      const isConditional = preludes.length > 1
      for (const selector of selectors) {
        if (++count > MAX_RULES) {
          sheet.isPartial = true
          return
        }
        addRule(sheet, { order: count, selector, change, important, isConditional })
      }
    }
    if (brace === '{') {
      const head = (parts.at(-1) ?? '').trim()
      preludes.push(head.startsWith('@') ? selectors : selectorsOf(head))
    } else if (brace === '}') preludes.pop()
  }
}

/** The selectors of a list. Each part in brackets is replaced by ":x", so that the selector counts as conditional. */
function selectorsOf(list: string): string[] {
  if (list === '') return []
  let [text, depth] = ['', 0]
  for (const piece of list.split(/(?=[()[\]])/)) {
    const isOpening = /^[([]/.test(piece)
    const isClosing = /^[)\]]/.test(piece)
    if (depth === 0 && (isOpening || isClosing)) text += ':x'
    if (isOpening) depth++
    else if (isClosing) depth = Math.max(0, depth - 1)
    if (depth === 0) text += isClosing ? piece.slice(1) : piece
  }
  return text.split(',').map((selector) => selector.trim())
}

type RuleText = Pick<Rule, 'order' | 'change' | 'important' | 'isConditional'> & { selector: string }

const MAX_SELECTOR_LENGTH = 200

function addRule(sheet: StyleSheet, { selector: fullSelector, isConditional, ...effect }: RuleText): void {
  const selector = fullSelector.length > MAX_SELECTOR_LENGTH ? '' : fullSelector
  const simple = selector === '' ? null : SIMPLE_SELECTOR.exec(selector)
  const last = (selector.split(/[\s>+~]+/).at(-1) ?? '').replace(/:.*$/, '')
  // A selector that cannot be parsed may match any element.
  const compound = simple ?? SIMPLE_SELECTOR.exec(last) ?? SIMPLE_SELECTOR.exec('*')
  const tag = (compound?.[1] ?? '*').toLowerCase()
  const names = compound?.[2]?.match(/[.#][\w-]+/g) ?? []
  const key = names[0] ?? tag
  const ids = names.filter((name) => name.startsWith('#')).length
  const rule: Rule = {
    ...effect,
    tag,
    names,
    isConditional: isConditional || simple === null,
    specificity: 100 * ids + 10 * (names.length - ids) + (tag === '*' ? 0 : 1),
  }
  const rules = sheet.rules.get(key)
  if (rules === undefined) sheet.rules.set(key, [rule])
  else rules.push(rule)
}

/** Whether a style positions an element freely on the page, where it may be over or under others. */
const isLayer = (style: Style): boolean =>
  FREELY_POSITIONED.test(style.get('position') ?? '') &&
  !SIDES.some((side) => (pixels(style.get(side)) ?? 0) <= OFF_SCREEN)

// The rules are cached for at most this many kinds of elements.
const MAX_MATCHES = 10_000

/** The rules that apply to an element, in the order in which they override each other; conditional ones last. */
function rulesFor(
  name: string,
  { class: classes = '', id }: Attributes,
  { rules, matches }: StyleSheet,
): readonly Rule[] {
  const ownNames = new Set(
    classes
      .split(/\s+/)
      .filter(Boolean)
      .map((name) => `.${name}`),
  )
  if (id !== undefined) ownNames.add(`#${id}`)
  const keys = ['*', name, ...ownNames].filter((key) => rules.has(key))
  if (keys.length === 0) return []
  const cacheKey = `${name} ${[...ownNames].join(' ')}`
  const cachedRules = matches.get(cacheKey)
  if (cachedRules !== undefined) return cachedRules
  const matchingRules = keys
    .flatMap((key) => rules.get(key) ?? [])
    .filter(
      ({ tag, names }) =>
        (tag === '*' || tag === name) && names.every((className) => ownNames.has(className)),
    )
    .sort(
      (a, b) =>
        Number(a.isConditional) - Number(b.isConditional) ||
        a.specificity - b.specificity ||
        a.order - b.order,
    )
  if (matches.size < MAX_MATCHES && cacheKey.length <= MAX_SELECTOR_LENGTH)
    matches.set(cacheKey, matchingRules)
  return matchingRules
}
