// Recognises sentences about the search itself: "The documents do not say when", "I could not find it". They state no fact of the
// documents, so no passage can be cited for them. Only listed forms are recognised: the subject is the documents or the writer, and
// the verb is a negated form of saying or finding. Pure.

const either = (...patterns: readonly string[]): string => `(?:${patterns.join('|')})`

const SUBJECTS = {
  en: `(?:(?:the|these|those|your|any|all|available|provided|given|retrieved|relevant) ){0,3}(?:documents?|passages?|sources?|excerpts?|texts?|files?|search results?)(?: (?:provided|shown|given|found|available|retrieved|here|themselves|(?:in|of) (?:this|the|your) workspace|that I (?:was shown|found|have)|I (?:was shown|found|have)))?`,
  de: `(?:(?:die|der|das|den|dem|diese[nrs]?|vorliegenden?|verfügbaren?|gezeigten?|gefundenen?) ){0,3}(?:Dokumente?n?|Unterlagen?|Textstellen?|Quellen?|Auszüge|Auszügen|Passagen?|Texte?n?)`,
  fr: `(?:(?:les|le|la|l['’]|ces|ce|cet|des) ?)?(?:documents?|passages?|sources?|extraits?|textes?)(?: (?:fournis|disponibles|trouvés|montrés))?`,
  es: `(?:(?:los|las|el|la|estos|estas) )?(?:documentos?|pasajes?|fuentes?|extractos?|textos?)(?: (?:disponibles|proporcionados|encontrados))?`,
}
// The object of verbs that are not enough alone: "do not give information" is about the search, "do not give permission" is not.
const CONTENT = {
  en: `(?:(?:the|any|an?|enough|sufficient|further|more|such|specific|clear|requested|detailed|relevant|other) ){0,3}(?:information|details?|answers?|indications?|explanations?|evidence|mentions?|statements?|data|reference)`,
  de: `(?:(?:weiteren?|näheren?|genauen?|konkreten?) )?(?:Informationen|Angaben?|Auskunft|Antwort|Hinweise?|Aussagen?|Einzelheiten)`,
  fr: `(?:(?:d['’]|de |aucune? |autres? |plus d['’]))*(?:informations?|précisions?|réponses?|détails?|indications?)`,
  es: `(?:(?:ninguna|ningún|más|otra) )?(?:información|detalles?|respuestas?|indicación|datos?)`,
}

const OPENING = String.raw`^(?:[-*+>•]\s+)?[*_]{0,3}(?:(?:but|however|unfortunately|sorry|leider|jedoch|malheureusement|lamentablemente),? )?`

const FORMS = [
  // The documents do not say …
  `${SUBJECTS.en} (?:do not|does not|did not|don['’]t|doesn['’]t) (?:(?:explicitly|directly|clearly|specifically) )?${either(
    'say',
    'state',
    'mention',
    'specify',
    'tell',
    'cover',
    'address',
    'answer',
    'discuss',
    'contain',
    'include',
    'indicate',
    'explain',
    'describe',
    'name',
    `(?:give|provide|offer|have) ${CONTENT.en}`,
  )}`,
  `(?:none|neither|nothing) (?:of|in) ${SUBJECTS.en} (?:says?|states?|mentions?|specif(?:y|ies)|covers?|address(?:es)?|answers?|contains?)`,
  `no (?:document|passage|source|excerpt) (?:says|states|mentions|specifies|covers|addresses|answers|contains)`,
  `I (?:could not|couldn['’]t|cannot|can['’]t|was unable to|am unable to|was not able to) (?:find|locate|answer|say|tell|determine|confirm)`,
  `(?:I|we) (?:could not|couldn['’]t|cannot|can['’]t|did not|didn['’]t) (?:find|locate)`,
  `(?:I|we) (?:have )?found (?:no|nothing)`,
  `there (?:is|are|was|were) no ${CONTENT.en} (?:[^,;]* )?in ${SUBJECTS.en}`,
  `no ${CONTENT.en} (?:[^,;]* )?(?:(?:was|were) found|in ${SUBJECTS.en})`,
  `(?:this|that|it|the (?:requested )?(?:information|answer)) (?:is|was) not (?:(?:mentioned|stated|covered|specified|addressed|contained|given|included|found|available|said|answered) )?(?:in|by) ${SUBJECTS.en}`,
  // Die Dokumente enthalten dazu nichts.
  `${SUBJECTS.de} (?:enthalten|enthält|sagen|sagt|nennen|nennt|erwähnen|erwähnt|geben|gibt) ${either(
    `(?:hierzu|dazu|darüber|hierüber) (?:nichts|keine ${CONTENT.de})`,
    'nichts (?:zu|über|dazu|darüber)',
    `keine ${CONTENT.de}`,
    'nicht, (?:ob|wann|wer|wie|was|wo|warum|welche[rsnm]?|wie ?viele?)',
  )}`,
  `in ${SUBJECTS.de} (?:steht|findet sich|stehen|finden sich|ist|gibt es) (?:dazu |hierzu |darüber )?(?:nichts|keine ${CONTENT.de})`,
  `(?:dazu|hierzu|darüber|das|dies) (?:konnte|kann|habe) ich (?:in ${SUBJECTS.de} )?(?:nichts|nicht|keine ${CONTENT.de}) (?:finden|gefunden|sagen|beantworten)`,
  `(?:dazu|hierzu|darüber) (?:enthalten|sagen|geben|nennen) ${SUBJECTS.de} (?:nichts|keine ${CONTENT.de})`,
  `ich (?:konnte|kann|habe) (?:dazu |hierzu |darüber |das |dies )?(?:in ${SUBJECTS.de} )?(?:dazu |hierzu )?(?:nichts|nicht|keine ${CONTENT.de}) (?:(?:dazu|hierzu|darüber) )?(?:finden|gefunden|sagen|beantworten)`,
  // Les documents ne disent rien.
  `${SUBJECTS.fr} n(?:e |['’])(?:le |l['’]|en )?(?:(?:disent|dit|mentionnent|mentionne|précisent|précise|indiquent|indique|contiennent|contient|parlent|parle|répondent|répond) (?:pas|rien|aucune? ${CONTENT.fr})|(?:donnent|donne|fournissent|fournit) (?:pas |aucune? )${CONTENT.fr})`,
  `(?:je|nous) n(?:e |['’])(?:l['’]|le |en )?(?:(?:ai|avons) (?:pas |rien )?(?:pu )?trouv(?:é|er)|(?:peux|pouvons) pas (?:répondre|dire|trouver)|trouv(?:e|ons) (?:pas|rien|aucune?))`,
  `aucun (?:document|passage|extrait) ne (?:dit|mentionne|précise|contient|parle)`,
  `il n['’]y a (?:pas |aucune? )?${CONTENT.fr} (?:[^,;]* )?dans ${SUBJECTS.fr}`,
  // Los documentos no dicen nada.
  `${SUBJECTS.es} no (?:lo )?(?:${either('dicen?', 'mencionan?', 'indican?', 'especifican?', 'contienen?', 'explican?', 'hablan?')}|(?:dan?|ofrecen?|proporcionan?) ${CONTENT.es})`,
  `no (?:(?:lo )?(?:he|hemos) encontrado|(?:pude|puedo|pudimos) (?:encontrar|responder)|hay ${CONTENT.es} (?:[^,;]* )?en ${SUBJECTS.es})`,
  `ningún (?:documento|pasaje) (?:dice|menciona|indica|contiene)`,
]
// A form ends with a whole word.
const ABOUT_SEARCH = new RegExp(String.raw`${OPENING}(?:${FORMS.join('|')})(?![\p{L}\p{N}])`, 'iu')

// Matches what may begin another statement in the same sentence.
const ANOTHER_CLAUSE =
  /[;:—–]|\s-\s|(?<![\p{L}])(?:but|however|although|though|because|since|so|instead|therefore|yet|while|whereas|except|only|aber|sondern|jedoch|obwohl|weil|denn|sodass|während|nur|außer|mais|cependant|car|donc|sauf|seulement|pero|sino|porque|aunque|salvo|solo|sólo)(?![\p{L}])/iu
const JOINED = /(?:,|(?<![\p{L}])(?:and|und|et|y)(?![\p{L}]))\s*/giu
// Matches a question word: "and by whom" in "when, where and by whom".
const ASKING =
  /^(?:and|or|nor|und|oder|et|ou|y|o)?\s*(?:(?:by|from|to|in|on|at|for|with|of|von|für|mit|par|de|à|por|a)\s)?(?:when|where|who|whom|whose|which|what|why|how|whether|if|ob|wann|wer|wem|wen|wie|was|wo|warum|welche[rsnm]?|quand|où|qui|quel(?:le)?s?|comment|pourquoi|combien|si|cuándo|dónde|quién(?:es)?|cuál(?:es)?|qué|cómo|cuánto)(?![\p{L}])/iu
// Matches a name. Letter case is significant.
const NAMES = /^(?:(?:or|nor|and|oder|und|ou|et|o|y) )?(?:\p{Lu}[\p{L}\p{N}.'’-]*\s?)+$/u
const ONE_WORD = /^(?:(?:or|nor|and|oder|und|ou|et|o|y) )?[\p{L}\p{N}'’-]+$/iu

/** Whether a sentence without markers only states that the search did not find something. */
export function isAboutSearch(sentence: string): boolean {
  const plain = sentence.trim().replace(/[\p{Sentence_Terminal}…]*["'”’»)*_]*$/u, '')
  const form = ABOUT_SEARCH.exec(plain)
  if (!form) return false
  const rest = plain.slice(form[0].length)
  const [first = '', ...others] = rest.split(JOINED).map((part) => part.trim())
  return (
    !ANOTHER_CLAUSE.test(rest) &&
    others.every(
      (part) =>
        part === '' || (ASKING.test(first) && ASKING.test(part)) || NAMES.test(part) || ONE_WORD.test(part),
    )
  )
}

const SAY_VERBS =
  'say|says|state|states|show|shows|mention|mentions|specify|specifies|sagen|nennen|disent|indiquent|dicen|indican'
const ATTRIBUTION = new RegExp(
  `${OPENING}(?:(?:according to|based on|as stated in|laut|gemäß|selon|d['’]après|según) ${either(...Object.values(SUBJECTS))},?|${either(...Object.values(SUBJECTS))} (?:${SAY_VERBS})(?: that|, dass| que)?) `,
  'iu',
)

/** A sentence without its attribution: "the rent is £99" of "According to the documents, the rent is £99". */
export const withoutAttribution = (sentence: string): string => sentence.replace(ATTRIBUTION, '')
