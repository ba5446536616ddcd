// Adjectives of measure and the nouns for the quantity that they compare: "louder" and "noise", "schwerer" and "Gewicht". A data
// sheet has the noun, a question mostly the adjective. Of adjectives that mean several quantities (high, long), only the
// comparatives are listed, or none.

import { foldAccents } from './words.ts'

interface Quantity {
  adjectives: string
  en: string
  de: string
  fr: string
  es: string
}

const QUANTITIES: readonly Quantity[] = [
  {
    adjectives: `heavy heavier heaviest lighter lightest schwer schwerer schwersten leichter leichtesten lourd lourde lourds lourdes
      pesado pesada pesados pesadas`,
    en: 'weight mass',
    de: 'Gewicht Masse',
    fr: 'poids masse',
    es: 'peso masa',
  },
  {
    adjectives: `loud louder loudest noisy noisier noisiest quiet quieter quietest silent lauter lautesten leise leiser leisesten
      bruyant bruyante bruyants bruyantes silencieux silencieuse ruidoso ruidosa ruidosos silencioso silenciosa`,
    en: 'noise sound',
    de: 'Lautstärke Geräusch Lärm Schall',
    fr: 'bruit',
    es: 'ruido',
  },
  {
    adjectives: `cheap cheaper cheapest expensive dearer dearest billig billiger billigsten günstiger günstigsten teuer teurer teuersten
      cher chère chers chères coûteux coûteuse barato barata baratos baratas caro cara caros caras`,
    en: 'price cost',
    de: 'Preis Kosten',
    fr: 'prix coût',
    es: 'precio coste',
  },
  { adjectives: 'tall taller tallest', en: 'height', de: 'Höhe', fr: 'hauteur', es: 'altura' },
  {
    adjectives: 'longer longest shorter shortest länger längsten kürzer kürzesten',
    en: 'length duration',
    de: 'Länge Dauer',
    fr: 'longueur durée',
    es: 'longitud duración',
  },
  {
    adjectives: `fast faster fastest slow slower slowest schneller schnellsten langsam langsamer langsamsten rapide rapides lent lente
      lents lentes rápido rápida rápidos rápidas lento lenta lentos lentas`,
    en: 'speed',
    de: 'Geschwindigkeit',
    fr: 'vitesse',
    es: 'velocidad',
  },
  {
    adjectives:
      'wide wider widest broader broadest narrow narrower narrowest breit breiter breitesten schmaler ancho ancha anchos anchas',
    en: 'width',
    de: 'Breite',
    fr: 'largeur',
    es: 'anchura',
  },
  {
    adjectives:
      'deep deeper deepest tiefer tiefsten profond profonde profonds profondes profundo profunda profundos profundas',
    en: 'depth',
    de: 'Tiefe',
    fr: 'profondeur',
    es: 'profundidad',
  },
  {
    adjectives: `hot hotter hottest warm warmer warmest cold colder coldest heiß heißer heißesten wärmer wärmsten kalt kälter kältesten
      chaud chaude chauds chaudes froid froide caliente calientes frío fría fríos frías`,
    en: 'temperature',
    de: 'Temperatur',
    fr: 'température',
    es: 'temperatura',
  },
  {
    adjectives: 'big bigger biggest larger largest smaller smallest größer größten kleiner kleinsten',
    en: 'size area',
    de: 'Größe Fläche',
    fr: 'taille surface',
    es: 'tamaño superficie',
  },
]

const LANGUAGES = ['en', 'de', 'fr', 'es'] as const

interface QuantityNoun {
  language: (typeof LANGUAGES)[number]
  word: string
}

const nounsByAdjective: ReadonlyMap<string, readonly QuantityNoun[]> = new Map(
  QUANTITIES.flatMap((quantity) => {
    const nouns = LANGUAGES.flatMap((language) =>
      quantity[language].split(' ').map((word) => ({ language, word })),
    )
    // "schwersten" also stands for "schwerste".
    const forms = quantity.adjectives
      .split(/\s+/)
      .flatMap((adjective) =>
        adjective.endsWith('sten') ? [adjective, adjective.slice(0, -1)] : [adjective],
      )
    return forms.map((form) => [foldAccents(form), nouns] as const)
  }),
)

// Words that mean something else in this language: German "fast" means almost, English "lent" is a verb.
const OTHER_MEANINGS = new Set(['de fast', 'en lent'])

/** The nouns for the quantity that an adjective compares, in four languages; none for any other word. */
export const quantitiesOf = (word: string, language = ''): readonly QuantityNoun[] =>
  OTHER_MEANINGS.has(`${language} ${foldAccents(word)}`)
    ? []
    : (nounsByAdjective.get(foldAccents(word)) ?? [])
