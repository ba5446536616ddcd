// Units of measure that are converted into one another: mass, length, volume, time. Pure.

import { Decimal } from './cell-value.ts'

// Symbols tell letter case (mg, Mg), words do not. A "ton" has three sizes and is none of these.
const DIMENSIONS: readonly (readonly [scale: number, symbols: string, words: string])[][] = [
  [
    [1e-6, 'mg', 'milligrams? milligrammes? milligramms? miligramos?'],
    [1e-3, 'g', 'grams? gramm grammes? gramos?'],
    [1, 'kg Kg KG', 'kilos? kilograms? kilogramm kilogrammes? kilogramos?'],
    [1e3, 't', 'tonnes? tonnen toneladas?'],
  ],
  [
    [1e-3, 'mm', 'millimet(?:er|re)s? millimètres? milímetros?'],
    [1e-2, 'cm', 'centimet(?:er|re)s? zentimetern? centimètres? centímetros?'],
    [1, 'm', 'met(?:er|re)s? metern mètres? metros?'],
    [1e3, 'km Km KM', 'kilomet(?:er|re)s? kilometern kilomètres? kilómetros?'],
  ],
  [
    [1e-3, 'ml mL', 'millilit(?:er|re)s? mililitros?'],
    [1e-2, 'cl cL', 'centilit(?:er|re)s? zentilitern?'],
    [1, 'l L', 'lit(?:er|re)s? litern litros?'],
    [100, 'hl hL', 'hectolit(?:er|re)s? hektolitern? hectolitros?'],
  ],
  [
    [1, 's', 'secs? seconds? sekunden? secondes? segundos?'],
    [60, 'min', 'mins? minutes? minuten? minutos?'],
    [3600, 'h', 'hours? hrs? std stunden? heures? horas?'],
  ],
  [
    [1, '', 'days? tage?n? jours? días?'],
    [7, '', 'weeks? wochen? semaines? semanas?'],
  ],
  [
    [1, '', 'months? monate?n? mois mes(?:es)?'],
    [12, '', 'years? jahre?n? ans? années? años?'],
  ],
]

interface Measure {
  dimension: number
  scale: Decimal
}

const MEASURES = DIMENSIONS.flatMap((units, dimension) =>
  units.map(([scale, symbols, names]) => ({
    dimension,
    scale: new Decimal(scale),
    symbols: symbols.split(' ').filter(Boolean),
    pattern: new RegExp(`^(?:${names.split(' ').join('|')})$`, 'iu'),
  })),
)

const measureOf = (unit: string): Measure | undefined =>
  MEASURES.find(({ symbols, pattern }) => symbols.includes(unit) || pattern.test(unit))

export const isMeasure = (unit: string): boolean => measureOf(unit) !== undefined

/** The amount in another unit of the same dimension; undefined where there is none. */
export function inUnit(amount: Decimal, from: string, to: string): Decimal | undefined {
  const [fromMeasure, toMeasure] = [measureOf(from), measureOf(to)]
  if (!fromMeasure || !toMeasure || fromMeasure.dimension !== toMeasure.dimension) return undefined
  return amount.times(fromMeasure.scale).div(toMeasure.scale)
}
