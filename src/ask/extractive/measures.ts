// What words such as "heavy" and "deep" ask for, and the units of its values. Pure.

const LENGTH_UNIT =
  /^(?:mm|cm|dm|m|km|miles?|ft|feet|inch(?:es)?|(?:milli|centi|kilo)?met(?:re|er)s?|metern?|zentimetern?|kilometern?|mètres?|metros?)$/iu

interface Dimension {
  /** Words that ask for it. */
  words: RegExp
  unit: RegExp
}

const DIMENSIONS: readonly Dimension[] = [
  {
    words: /heavy|weigh|schwer|wieg|gewicht|poids|pèse|peso|pesa/iu,
    unit: /^(?:mg|g|kg|t|lbs?|(?:kilo)?gramm?e?s?|kilos?|tonn?e?[sn]?|kilogramos?)$/iu,
  },
  {
    words:
      /\b(?:wide|tall|high|deep|thick|far|width|height|depth|draught)\b|breit|hoch|tief|weit|dick|höhe|largeur|hauteur|profondeur|anchura|altura|profundidad/iu,
    unit: LENGTH_UNIT,
  },
  {
    words: /\b(?:hot|cold|warm)\b|temperatur|température|heiß|kalt/iu,
    unit: /^(?:°\s?[CF]|degrees|grad|celsius)$/iu,
  },
  {
    words: /\bfast\b|speed|velocidad|vitesse|schnell|geschwindigkeit/iu,
    unit: /^(?:km\/h|m\/s|mph|knots|knoten|rpm|u\/min)$/iu,
  },
  {
    words: /\b(?:power|powerful|strong)\b|leistung|puissance|potencia/iu,
    unit: /^(?:m?k?w|watts?|kilowatts?|hp|ps|kva|kwp)$/iu,
  },
  { words: /loud|noise|noisy|lautstärke|(?<!\p{L})laut(?!\p{L})|bruit|bruyant|ruido/iu, unit: /^db$/iu },
  { words: /voltage|spannung|tension\b|voltaje/iu, unit: /^(?:k?v|volts?)$/iu },
  {
    words: /\bold\b|(?<!\p{L})alt(?!\p{L})/iu,
    unit: /^(?:years?|months?|weeks?|jahre?n?|monate?n?|wochen?|ans?|mois|años?)$/iu,
  },
]
const OTHER_UNIT =
  /^(?:[cmh]?l|lit(?:re|er)s?|litern?|litros?|gallons?|m[²³23]|ha|(?:square|cubic) \p{L}+|quadratmetern?|kubikmetern?|hectares?|hektar|bar|psi|[kmgt]b|[kmµ]?g\/\S+|kwh|\p{Sc}|CHF|%)$/iu
export const ANY_UNIT = {
  test: (name: string): boolean => OTHER_UNIT.test(name) || DIMENSIONS.some(({ unit }) => unit.test(name)),
}

/** The first dimension that a word of the text asks for. */
export const dimensionOf = (text: string): Dimension | undefined =>
  DIMENSIONS.find(({ words }) => words.test(text))

const NUMBER_WITH_UNIT = /\d\s?-?((?:°\s?)?[\p{L}µ][\p{L}²³/]*)/gu

/** Whether the text contains a number with a unit of the dimension that the word asks for. */
export function containsMeasureFor(word: string, text: string): boolean {
  const dimension = dimensionOf(word)
  return [...text.matchAll(NUMBER_WITH_UNIT)].some(([, unit = '']) => dimension?.unit.test(unit))
}

// Words for the directions in which a thing is measured, and for its age. A value belongs to the one that stands with it.
const DIRECTIONS = [
  /(?<!\p{L})(?:wide|width|breite?[nrs]?|largeur|large|anchura|ancho)(?!\p{L})/iu,
  /(?<!\p{L})(?:tall|high|height|hoch|höhe|hauteur|haut|altura|alto)(?!\p{L})/iu,
  /(?<!\p{L})(?:deep|depth|tief|tiefe|profondeur|profundidad)(?!\p{L})/iu,
  /(?<!\p{L})(?:thick|thickness|dick|dicke|épaisseur|grosor)(?!\p{L})/iu,
  /(?<!\p{L})(?:old|age|alt|alter|âge|edad)(?!\p{L})/iu,
]

/** Whether a clause may answer a question for a direction or an age: not if it names only others. */
export function fitsDimension(question: string, clause: string): boolean {
  const asked = DIRECTIONS.find((direction) => direction.test(question))
  if (asked === undefined) return true
  if (asked.test(clause)) return true
  return asked !== DIRECTIONS.at(-1) && !DIRECTIONS.some((direction) => direction.test(clause))
}
