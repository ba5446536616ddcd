// Questions of every kind in four languages, asked of the papers of a small boatyard without a model: parts of documents,
// what is not so, counts, sums, comparisons, changes, courtesies. Each has a known answer; how many are right is printed.

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Answer } from '../../src/contract/resources.ts'
import { bodyOf, type TestApp } from '../support/app.ts'
import { askLibrary } from '../support/ask-library.ts'

const files = {
  'invoices.csv':
    'invoice,customer,amount_eur,due,status\nR-101,Halden Harbour,1200.00,2026-01-15,paid\nR-102,Norrvik River Trust,480.00,2026-02-01,not paid\nR-103,Brandt Decorators,95.50,2026-02-10,open\nR-104,Pell & Ashworth,300.00,2026-02-12,paid\nR-105,Brandt Decorators,60.00,2026-03-01,overdue\n',
  'beitraege.csv':
    'Mitglied,Ort,Beitrag,bezahlt\nJana Vogt,Kiel,60,ja\nEmil Sander,Husum,60,nein\nRuth Peters,Kiel,80,\nOle Hansen,Flensburg,60,ja\n',
  'cuotas.csv': 'socio,cuota,pagado\nIker Zabala,40,sí\nMaite Soler,40,no\nJon Arana,40,sí\n',
  'members.csv':
    'name,joined,town\nAda Bell,2019-04-01,Aldermouth\nColin March,2020-09-15,Netherby\nSamira Haddad,2021-01-10,Aldermouth\nJonas Weid,2024-05-01,Kiel\nPriya Raman,2025-02-01,Netherby\n',
  'investment-plan.csv':
    'Item,Planned 2026,Planned 2027\nCrane,12000,0\nSecond bath,20000,26000\nRoof,0,8500\nTraining,1500,2500\n',
  'products.csv': 'product,price_eur,weight_kg\nTern 12,340.00,18\nGannet 16,415.50,24\nHeron 20,612.00,31\n',
  'lieferbedingungen.md':
    '# Lieferbedingungen\n\n## 1. Geltung\n\nDiese Bedingungen gelten für alle Lieferungen der Werft Sander.\n\n## 2. Lieferung\n\nDie Lieferung erfolgt ab Werk Kiel. Die Lieferfrist beträgt sechs Wochen.\n\n## 3. Zahlung\n\nDie Zahlung ist innerhalb von 30 Tagen nach Eingang der Rechnung fällig. Bei Verzug werden Zinsen von 5 % berechnet.\n\n## 4. Gewährleistung\n\nDie Gewährleistung beträgt zwei Jahre ab Übergabe.\n',
  'service-contract.md':
    "# Service contract Halden Harbour\n\nDated 3 May 2022, between Werft Sander and Halden Harbour.\n\n## 1. Services\n\nWerft Sander inspects the two cranes of Halden Harbour twice a year.\n\n## 2. Fee\n\nThe fee is 2,400 euros a year.\n\n## 3. Term\n\nThe contract runs for three years.\n\n## 4. Termination\n\nEither party may end this contract with two months' notice to the end of a year.\nA serious breach ends it at once.\n\n## 5. Liability\n\nLiability is limited to 50,000 euros for each event.\n\n## Signatures\n\nSigned in Kiel on 3 May 2022\n\nFor Werft Sander: Emil Sander\nFor Halden Harbour: Ingrid Moe\n",
  'mietvertrag-bootshalle.md':
    '# Mietvertrag Bootshalle\n\nVom 2. Mai 2021\n\n## 4. Miete\n\nDie Miete für die Bootshalle beträgt 1.200 Euro im Monat.\n',
  'nachtrag-bootshalle.md':
    '# Nachtrag zum Mietvertrag Bootshalle\n\nVom 10. November 2024\n\nDie Miete für die Bootshalle beträgt ab 1. Januar 2025 1.350 Euro im Monat.\n',
  'letter.txt':
    'Werft Sander, Kaiweg 4, Kiel\n\n12 June 2025\n\nDear Mr Ferris,\n\nthank you for your letter about the winter storage of your boat. The winter storage costs 640 euros from October to April. The boat must be empty of fuel before it comes into the hall.\n\nKind regards,\nEmil Sander\n',
  'protokoll.md':
    '# Protokoll der Mitgliederversammlung vom 8. März 2025\n\nAnwesend: Jana Vogt, Emil Sander, Ruth Peters\n\n## Beschlüsse\n\n- Der Beitrag steigt ab 2026 auf 70 Euro.\n- Das Bootshaus wird im Mai gestrichen.\n- Ole Hansen wird als Kassenwart gewählt.\n\n## Verschiedenes\n\nDie nächste Versammlung findet am 14. März 2026 statt.\n',
  'minutes.md':
    '# Minutes of the yard meeting of 6 May 2025\n\n## 1. Slipway\n\nEmil Sander showed the cracks. Decision 2025-01. The slipway is closed until it is repaired.\n\n## 2. Crane\n\nDecision 2025-02. A crane of 12 tons is bought.\n\n## 3. Summer\n\nDecision 2025-03. The yard closes for two weeks in August.\n\n## 4. Apprentices\n\nDecision 2025-04. Two apprentices are taken on.\n',
  'charter.md':
    '# Charter of the vessel "Marit"\n\n## 2. Hire\n\n2.1 The hire is NOK 38,500 per day, payable in advance.\n\n2.2 Fuel is paid by the charterer.\n\n## 5. Ending\n\n5.1 Either party may terminate with thirty days of written notice.\n\n5.2 The charterer may not sublet the vessel.\n' +
    // So many that speak of the hire and the vessel that the addendum is not among the first passages found.
    Array.from(
      { length: 14 },
      (_, i) => `\n## ${i + 6}. Duty ${i}\n\nThe mate of the Marit has duty ${i} when the Marit leaves.\n`,
    ).join(''),
  'charter-addendum.md':
    '# Addendum No. 1 to the charter of the vessel "Marit"\n\nDated 20 June 2025\n\n1. In clause 2.1 the words "NOK 38,500 per day" are replaced by "NOK 41,000 per day".\n\n2. Clause 5.1 is amended: the notice is forty-five days.\n',
  'steering-january.md':
    '# Steering group, 15 January 2025\n\n## 1. Permit\n\nThe permit was applied for.\n\nDecision: The fee of 1,250 is approved.\n\n## 2. Business\n\nNext meeting: 12 February 2025.\n',
  'steering-february.md':
    '# Steering group, 12 February 2025\n\n## 1. Permit\n\nA noise study is asked for.\n\nDecision: The noise study is commissioned from Aldane.\n\n## 2. Gauge\n\nThree quotations came in.\n\nDecision: The gauge is bought from Marlin.\n\nNext meeting: 19 March 2025.\n',
  'estuary.md':
    '# Estuary report\n\n## 1. Stations\n\n| Station | Name | Copper µg/l |\n|---|---|---|\n| S1 | Kestrel Point | 1.9 |\n| S2 | Mill Sluice | 3.1 |\n| S3 | Boatyard | 7.6 |\n\n## 2. Costs\n\nThe monitoring cost NOK 612,000, of which NOK 355,000 were fees of the laboratory.\n\n## 9. Recommendations\n\n1. Move the washing place.\n2. Install a basin with a filter.\n\nSend questions to https://estuary.example/ask or ask@estuary.example.\n',
  'bail.md':
    '# Bail du local 7\n\n## Article 1 – Loyer\n\nLe loyer est de 900 euros par mois, payable le 5 de chaque mois.\n\n## Article 2 – Durée\n\nLe bail est conclu pour trois ans à compter du 1er juillet 2024.\n\n## Article 3 – Résiliation\n\nLe locataire peut résilier le bail avec un préavis de trois mois.\n',
  'contrato.md':
    '# Contrato de mantenimiento\n\n## 1. Objeto\n\nTalleres Zabala revisa las grúas del puerto cada seis meses.\n\n## 2. Precio\n\nEl precio es de 1.800 euros al año.\n\n## 3. Pago\n\nEl pago vence a los 15 días de la factura.\n',
}

let app: TestApp
let token: string
let workspace: string

beforeAll(async () => {
  ;({ app, token, workspace } = await askLibrary('boatyard', files))
})
afterAll(() => app.close())

async function ask(question: string): Promise<string> {
  const { answer, citations } = bodyOf<Answer>(
    await app.send('POST', `/v1/workspaces/${workspace}/ask`, token, { body: { question } }),
  )
  const shown = [...answer.matchAll(/(?<!\\)\[(\d+)\]/g)].map((match) => Number(match[1]))
  expect([...new Set(shown)], question).toEqual(citations.map((_, i) => i + 1))
  return answer
}

/** A question, what its answer must hold, and what it must not. */
type Known = readonly [question: string, holds: RegExp, never?: RegExp]

const HEDGED =
  /(?:do|may) not answer this directly|nicht unmittelbar|pas directement|directamente|did not find|nicht gefunden/

const QUESTIONS: readonly Known[] = [
  // Parts of documents.
  ['What is under Termination?', /two months' notice[\s\S]*serious breach/],
  ['What does section 5 of the service contract say?', /limited to 50,000 euros/, /fee|two months/],
  ['Was steht unter Gewährleistung?', /zwei Jahre ab Übergabe/, /Zahlung/],
  ['Was steht in Abschnitt 2 der Lieferbedingungen?', /ab Werk Kiel[\s\S]*sechs Wochen/, /Zinsen/],
  ["Que dit l'article 3 du bail ?", /préavis de trois mois/, /900/],
  ['¿Qué dice el apartado 2 del contrato de mantenimiento?', /1\.800 euros/, /15 días/],
  [
    'Summarize the service contract',
    /cannot write a summary[\s\S]*Fee\*\*[\s\S]*2,400[\s\S]*Termination\*\*[\s\S]*two months/,
  ],
  ['Fasse die Lieferbedingungen zusammen', /keine Zusammenfassungen[\s\S]*Zahlung\*\*[\s\S]*30 Tagen/],
  ['Résume le bail', /pas de résumés[\s\S]*Loyer[\s\S]*900 euros[\s\S]*Résiliation/],
  ['Resume el contrato de mantenimiento', /no escribo resúmenes[\s\S]*Objeto[\s\S]*grúas[\s\S]*Pago/],
  [
    'What are the recommendations of the estuary report?',
    /Move the washing[\s\S]*basin/,
    /- “Recommendations”/,
  ],
  // Words cannot tell which rows are without something, so no row is stated.
  ['Who has not paid?', HEDGED],
  ['Which customers have not paid?', HEDGED],
  ['Who has paid?', HEDGED],
  ['Wer hat nicht bezahlt?', HEDGED],
  ['¿Quién no ha pagado?', /\*\*Maite Soler\*\*/, /Iker|Jon/],
  // One row is the answer itself, and not a count of one.
  ['Which invoice is of Pell & Ashworth?', /R-104/, /\*\*\w+: 1\*\*/],
  ['Who is Jana Vogt?', /Kiel/, /\*\*\w+: 1\*\*/],
  // Counted, added, compared.
  ['What is the total planned for 2027?', /Planned 2027: 37,000\*\*/],
  ['What is the cheapest product?', /340[\s\S]*Tern 12/],
  // Both sides, each by its row.
  ['How much cheaper is Tern 12 than Gannet 16?', /340\.00[\s\S]*415\.50/],
  ['Which is heavier, the Heron 20 or the Tern 12?', /weight\\?_kg: 31[\s\S]*weight\\?_kg: 18/],
  // Figures, days, periods.
  ['What is the fee of the service contract with Halden Harbour?', /2,400 euros/, HEDGED],
  ['How long does the service contract run?', /three years/, HEDGED],
  ['How much does the winter storage cost?', /640 euros/, HEDGED],
  ['Wann ist die Zahlung fällig?', /innerhalb von 30 Tagen/, HEDGED],
  ['Wie lang ist die Lieferfrist?', /sechs Wochen/, HEDGED],
  ['Wie lange gilt die Gewährleistung?', /zwei Jahre/, HEDGED],
  ['Wann findet die nächste Versammlung statt?', /14\. März 2026/, HEDGED],
  ['Quel est le loyer du local 7 ?', /900 euros/, HEDGED],
  ['Quand le loyer est-il payable ?', /le 5 de chaque mois/, HEDGED],
  ['Quel est le préavis pour résilier le bail ?', /trois mois/, HEDGED],
  ['¿Cuándo vence el pago?', /15 días/, HEDGED],
  ['¿Cuál es el precio del mantenimiento?', /1\.800 euros/, HEDGED],
  // The newer text first, the older shown with it.
  ['Wie hoch ist die Miete für die Bootshalle?', /ändert[\s\S]*1\.350[\s\S]*1\.200/, HEDGED],
  [
    'What is the daily hire of the Marit?',
    /changes[\s\S]*41,000 per day[\s\S]*2\.1 The hire is NOK 38,500/,
    HEDGED,
  ],
  [
    'What does clause 5 of the charter say?',
    /changes[\s\S]*forty-five[\s\S]*thirty days[\s\S]*sublet/,
    /41,000|38,500/,
  ],
  ['What did the monitoring cost?', /NOK 612,000/, HEDGED],
  ['Which station has the highest copper value?', /7\.6[\s\S]*S3/],
  // Addresses are shown, and lead nowhere.
  [
    'Where are questions about the estuary sent?',
    /`https:\/\/estuary\.example\/ask`[\s\S]*`ask@estuary\.example`/,
  ],
  // No statement, no question.
  ['What did Emil Sander write to Mr Ferris about the boat?', /boat/, /- “Dear|regards/],
  ['hello', /^Hello\. Ask me/],
  ['Vielen Dank!', /^Gern\./],
  ['merci beaucoup', /^Je vous en prie/],
  ['¡Hola!', /^Hola\. Hágame/],
  // Not there.
  ['Who owns the lighthouse of Netherby?', HEDGED],
  ['Wie heißt der Hund des Hafenmeisters?', HEDGED],
]

test(`${QUESTIONS.length} questions of every kind, in four languages`, async () => {
  const wrong: string[] = []
  for (const [question, holds, never] of QUESTIONS) {
    const answer = await ask(question)
    if (!holds.test(answer) || never?.test(answer)) wrong.push(`${question}\n${answer}`)
  }
  console.info(`${QUESTIONS.length - wrong.length} of ${QUESTIONS.length} answers are right`)
  expect(wrong.join('\n\n')).toBe('')
})
