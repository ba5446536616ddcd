// Converts units of measure: mass, length, volume and time. Units of time are in three groups that are not converted into each
// other: seconds to hours, days and weeks, months and years. Pure.

import { Decimal } from './cell-value.ts'

// Letter case is significant in symbols (mg, Mg), but not in words. A "ton" may be one of three masses, so it is not listed.
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
  units.map(([scale, symbols, words]) => ({
    dimension,
    scale: new Decimal(scale),
    symbols: symbols.split(' ').filter(Boolean),
    pattern: new RegExp(`^(?:${words.split(' ').join('|')})$`, 'iu'),
  })),
)

const measureOf = (unit: string): Measure | undefined =>
  MEASURES.find(({ symbols, pattern }) => symbols.includes(unit) || pattern.test(unit))

export const isMeasure = (unit: string): boolean => measureOf(unit) !== undefined

/** The amount in another unit. Undefined if a unit is unknown or the units have different dimensions. */
export function inUnit(amount: Decimal, from: string, to: string): Decimal | undefined {
  const [fromMeasure, toMeasure] = [measureOf(from), measureOf(to)]
  if (!fromMeasure || !toMeasure || fromMeasure.dimension !== toMeasure.dimension) return undefined
  return amount.times(fromMeasure.scale).div(toMeasure.scale)
}
