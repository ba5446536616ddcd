// Irregular plurals without a plural ending: mice, travaux, Konten. A stemmer only removes endings, so it does not connect them
// to their singulars. In texts and in queries the singular replaces them. A plural that is also another word (leaves, bases,
// data) is in no list.

import type { Language } from './language.ts'
import { foldWord } from './words.ts'

/** The singular of a folded word that is an irregular plural; any other word as it is. */
export const singular = (word: string, language: Language): string => SINGULARS[language]?.get(word) ?? word

/** @param list plurals, each followed by its singular */
function singularByPlural(list: string): ReadonlyMap<string, string> {
  const words = list.split(/\s+/).map(foldWord)
  return new Map(words.flatMap((word, i) => (i % 2 === 0 ? [[word, words[i + 1] ?? word]] : [])))
}

const SINGULARS: Partial<Record<Language, ReadonlyMap<string, string>>> = {
  en: singularByPlural(`mice mouse dormice dormouse lice louse geese goose feet foot teeth tooth oxen ox children child
    grandchildren grandchild stepchildren stepchild men man women woman chairmen chairman firemen fireman
    fishermen fisherman foremen foreman gentlemen gentleman policemen policeman workmen workman
    calves calf halves half hooves hoof knives knife loaves loaf scarves scarf sheaves sheaf shelves shelf
    thieves thief wharves wharf wives wife housewives housewife wolves wolf
    phenomena phenomenon criteria criterion automata automaton ganglia ganglion mitochondria mitochondrion
    addenda addendum bacteria bacterium corrigenda corrigendum crania cranium curricula curriculum errata erratum
    memoranda memorandum millennia millennium ova ovum quanta quantum referenda referendum spectra spectrum
    strata stratum symposia symposium genera genus corpora corpus
    alumni alumnus bacilli bacillus cacti cactus foci focus fungi fungus loci locus nuclei nucleus radii radius
    stimuli stimulus syllabi syllabus thrombi thrombus villi villus
    algae alga antennae antenna formulae formula larvae larva nebulae nebula vertebrae vertebra
    apices apex appendices appendix codices codex cortices cortex helices helix indices index matrices matrix
    vertices vertex vortices vortex`),
  de: singularByPlural(`konten konto bankkonten bankkonto firmen firma themen thema museen museum zentren zentrum
    risiken risiko kriterien kriterium gremien gremium ministerien ministerium laboratorien laboratorium
    stipendien stipendium praktika praktikum lexika lexikon villen villa kakteen kaktus atlanten atlas
    mechanismen mechanismus organismen organismus rhythmen rhythmus viren virus`),
  es: singularByPlural(
    'crímenes crimen exámenes examen imágenes imagen jóvenes joven órdenes orden orígenes origen',
  ),
  fr: singularByPlural(`travaux travail baux bail coraux corail émaux émail soupiraux soupirail vitraux vitrail
    yeux oeil cieux ciel aïeux aïeul`),
}

/**
 * Replaces the ending -sis by that of the plural: "analysis" becomes "analyses", whose stem is also that of the verb. Short
 * words such as "basis" are left, because "bases" is also the plural of "base".
 */
export const sharedPlural = (word: string, language: Language): string =>
  language === 'en' ? word.replace(/(?<=[a-z]{2}[aeioy])sis$/, 'ses') : word

/**
 * Gives singular and plural one stem if their spelling differs: Spanish luz and luces; French jeu and jeux, and also heureux
 * and heureuse; French photo and photos, élu and élus, whose s the stemmer leaves because of words such as "refus".
 */
export function sharedStem(stemmed: string, language: Language): string {
  if (language === 'es') return stemmed.replace(/z$/, 'c')
  return language === 'fr' ? stemmed.replace(/(?<=[eo]u)x$|(?<=..[iou])s$/, '') : stemmed
}
