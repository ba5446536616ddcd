// Office equations (OMML, [ECMA-376-1] 22.1) as LaTeX. Letters and relations stay Unicode characters such as θ, which LaTeX
// accepts and a search finds.

import { child, elements, isOn, textOf, valueAt, type XmlElement } from '../containers/xml.ts'

const functions = new Set(
  'arccos arcsin arctan arg cos cosh cot coth csc deg det dim exp gcd hom inf ker lg lim liminf limsup ln log max min sec sin sinh sup tan tanh Pr'.split(
    ' ',
  ),
)
const operators: Record<string, string> = {
  '∑': '\\sum',
  '∏': '\\prod',
  '∐': '\\coprod',
  '∫': '\\int',
  '∬': '\\iint',
  '∭': '\\iiint',
  '∮': '\\oint',
  '⋃': '\\bigcup',
  '⋂': '\\bigcap',
  '⋁': '\\bigvee',
  '⋀': '\\bigwedge',
}
const accents: Record<string, string> = {
  '\u0300': '\\grave',
  '\u0301': '\\acute',
  '\u0302': '\\hat',
  '\u0303': '\\tilde',
  '\u0304': '\\bar',
  '\u0305': '\\overline',
  '\u0306': '\\breve',
  '\u0307': '\\dot',
  '\u0308': '\\ddot',
  '\u030c': '\\check',
  '\u20d7': '\\vec',
}
const brackets: Record<string, string> = {
  '{': '\\{',
  '}': '\\}',
  '⟨': '\\langle ',
  '⟩': '\\rangle ',
  '⌊': '\\lfloor ',
  '⌋': '\\rfloor ',
  '⌈': '\\lceil ',
  '⌉': '\\rceil ',
  '‖': '\\|',
}

/** An equation as LaTeX, without dollar signs. */
export function latex(math: XmlElement): string {
  return elements(math).map(latexOf).join('').replace(/\s+/g, ' ').trim()
}

const latexOfChild = (element: XmlElement, name: string): string => {
  const part = child(element, name)
  return part === undefined ? '' : latex(part)
}

/** A subscript or superscript. A single character needs no braces. */
const scriptOf = (text: string): string => ([...text].length === 1 ? text : `{${text}}`)

function latexOf(element: XmlElement): string {
  const part = (name: string): string => latexOfChild(element, `m:${name}`)
  switch (element.name) {
    case 'm:r':
      return escapeText(elements(element, 'm:t').map(textOf).join(''))
    case 'm:f':
      return fraction(element)
    case 'm:sSup':
      return `${baseOf(part('e'))}^${scriptOf(part('sup'))}`
    case 'm:sSub':
      return `${baseOf(part('e'))}_${scriptOf(part('sub'))}`
    case 'm:sSubSup':
      return `${baseOf(part('e'))}_${scriptOf(part('sub'))}^${scriptOf(part('sup'))}`
    case 'm:sPre':
      return `{}_${scriptOf(part('sub'))}^${scriptOf(part('sup'))}${part('e')}`
    case 'm:rad':
      return `\\sqrt${part('deg') === '' ? '' : `[${part('deg')}]`}{${part('e')}}`
    case 'm:nary':
      return nary(element)
    case 'm:d':
      return delimited(element)
    case 'm:func': {
      const argument = part('e')
      const hasBracket = argument.startsWith('(') || argument.startsWith('\\left')
      return `${functionName(part('fName'))}${hasBracket ? '' : ' '}${argument}`
    }
    case 'm:limLow':
      return `${functionName(part('e'))}_${scriptOf(part('lim'))}`
    case 'm:limUpp':
      return `\\overset{${part('lim')}}{${part('e')}}`
    case 'm:acc':
      return `${accents[valueAt(element, 'm:accPr', 'm:chr') ?? '\u0302'] ?? '\\hat'}{${part('e')}}`
    case 'm:bar':
      return `${valueAt(element, 'm:barPr', 'm:pos') === 'top' ? '\\overline' : '\\underline'}{${part('e')}}`
    case 'm:m':
      return matrix(element)
    case 'm:eqArr':
      return `\\begin{aligned}${elements(element, 'm:e').map(latex).join(' \\\\ ')}\\end{aligned}`
    case 'w:del':
    case 'w:moveFrom':
      return ''
    default:
      return element.name.endsWith('Pr') ? '' : latex(element)
  }
}

/** The base of a script. Anything except a single word, character or bracket needs braces. */
function baseOf(text: string): string {
  return [...text].length === 1 || text.startsWith('\\left') || /^\\?[\w.]+$/.test(text) ? text : `{${text}}`
}

function functionName(name: string): string {
  return functions.has(name) ? `\\${name}` : name
}

function fraction(element: XmlElement): string {
  const [above, below] = [latexOfChild(element, 'm:num'), latexOfChild(element, 'm:den')]
  const type = valueAt(element, 'm:fPr', 'm:type')
  if (type === 'lin') return `${above}/${below}`
  return type === 'noBar' ? `\\genfrac{}{}{0pt}{}{${above}}{${below}}` : `\\frac{${above}}{${below}}`
}

/** A sum, product or integral with its limits. */
function nary(element: XmlElement): string {
  const sign = valueAt(element, 'm:naryPr', 'm:chr') ?? '∫'
  const isSwitchedOn = (name: string): boolean => isOn(child(element, 'm:naryPr', name))
  const subscript = latexOfChild(element, 'm:sub')
  const superscript = latexOfChild(element, 'm:sup')
  const from = subscript === '' || isSwitchedOn('m:subHide') ? '' : `_${scriptOf(subscript)}`
  const to = superscript === '' || isSwitchedOn('m:supHide') ? '' : `^${scriptOf(superscript)}`
  return `${operators[sign] ?? sign}${from}${to} ${latexOfChild(element, 'm:e')}`
}

/** Expressions in brackets. */
function delimited(element: XmlElement): string {
  const delimiterOf = (name: string, defaultSign: string): string => {
    const delimiter = child(element, 'm:dPr', name)
    const sign = delimiter === undefined ? defaultSign : (delimiter.attributes.val ?? '')
    return brackets[sign] ?? sign
  }
  const content = elements(element, 'm:e').map(latex).join(delimiterOf('m:sepChr', '|'))
  const [left, right] = [delimiterOf('m:begChr', '('), delimiterOf('m:endChr', ')')]
  // Brackets around content of one line need no \left and \right.
  const isFlat = !/\\(frac|sum|int|prod|begin|sqrt|genfrac)/.test(content)
  if (isFlat && left !== '' && right !== '') return `${left}${content}${right}`
  return `\\left${left === '' ? '.' : left}${content}\\right${right === '' ? '.' : right}`
}

function matrix(element: XmlElement): string {
  const rows = elements(element, 'm:mr').map((row) => elements(row, 'm:e').map(latex).join(' & '))
  return `\\begin{matrix}${rows.join(' \\\\ ')}\\end{matrix}`
}

function escapeText(text: string): string {
  const withoutOperators = text.replace(/[\u2061-\u2064]/g, '')
  if (functions.has(withoutOperators)) return `\\${withoutOperators} `
  return withoutOperators
    .replaceAll('\\', '\\backslash ')
    .replace(/[#$%&_{}]/g, '\\$&')
    .replaceAll('\u00a0', ' ')
}
