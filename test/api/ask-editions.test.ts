// Of several editions of a document the one in force answers, unless the question names another.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Answer } from '../../src/contract/resources.ts'
import { bodyOf, type TestApp } from '../support/app.ts'
import { askLibrary } from '../support/ask-library.ts'

const policy = (version: string, limit: number, state: string, more = ''): string =>
  `# Guest house rules\n\nQuernmore Trust. Version ${version}. ${state}\n\n## Deposit\n\nThe deposit for a room is ${limit} pounds.\n\n## Keys\n\nKeys are left in the box at the gate.\n${more}`
const fees = (year: number, fee: string, more = ''): string =>
  `# Gebührenordnung der Musikschule ${year}\n\nGültig ab 1. August ${year}. Sie ersetzt die Gebührenordnung ${year - 1}.\n\n| Unterricht | Gebühr im Monat |\n|---|---|\n| Klavier | ${fee} Euro |\n| Chor | 9 Euro |\n${more}`
const reglement = (edition: string, hours: string, more: string): string =>
  `# Règlement de la piscine\n\n${edition}\n\n## Horaires\n\nLe bassin est ouvert jusqu’à ${hours} heures.\n${more}`
const minutes = (day: string, balance: string): string =>
  `# Acta de la junta del ${day}\n\nSociedad Coral de Arbeda\n\n## Tesorería\n\nEl saldo de la cuenta es de ${balance} euros.\n\n## Acuerdos\n\nSe aprueba el programa.\n`

const files = {
  'guest-house-rules.md': policy(
    '1.0',
    40,
    'Approved in May 2021.',
    '\n## Dogs\n\nDogs sleep in the barn.\n',
  ),
  'guest-house-rules-v2.md': policy('2.0', 65, 'In force from 1 March 2024. It supersedes version 1.0.'),
  'guest-house-rules-v3.md': policy('3.0', 90, 'DRAFT for discussion.'),
  'gebuehren-2022.md': fees(2022, '71', '\nDie Anmeldung kostet 15 Euro.\n'),
  'gebuehren-2023.md': fees(2023, '78'),
  'gebuehren-2099.md': fees(2099, '99'),
  'reglement-1.md': reglement(
    'Édition 1, en vigueur à compter du 1er mai 2020.',
    '18',
    '\n## Sauna\n\nLe sauna coûte 4 euros.\n',
  ),
  'reglement-2.md': reglement(
    'Édition 2, en vigueur à compter du 1er juin 2023. Elle remplace l’édition 1.',
    '20',
    '',
  ),
  'acta-2024-03-05.md': minutes('5 de marzo de 2024', '1.200'),
  'acta-2024-06-04.md': minutes('4 de junio de 2024', '1.450'),
  'acta-2024-10-01.md': minutes('1 de octubre de 2024', '980'),
  'catering-agreement.md':
    '# Catering agreement\n\nBetween Dunmere College and Fennel Kitchens.\n\n## 1. Fee\n\nThe monthly fee is 700 pounds.\n\n## 2. Payment\n\nInvoices are paid within 14 days.\n\n## 3. Notice\n\nThe notice period is two months.\n',
  'catering-amendment-1.md':
    '# Amendment 1 to the catering agreement\n\nSigned on 3 May 2022.\n\nClause 1 is replaced: the monthly fee is 760 pounds.\n',
  'catering-amendment-2.md':
    '# Amendment 2 to the catering agreement\n\nSigned on 9 June 2023.\n\nClause 1 is replaced: the monthly fee is 815 pounds.\n\nClause 3 is replaced by this text: "The notice period is five months."\n',
  'contrato.md':
    '# Contrato de limpieza\n\nEntre el Ateneo de Brañar y Limpiezas Orvedo.\n\n2.1 La cuota mensual es de 310 euros.\n\n2.2 El pago se hace en un plazo de veinte días.\n\n3.1 El preaviso es de tres meses.\n',
  'contrato-adenda.md':
    '# Adenda al contrato de limpieza\n\nFirmada el 4 de abril de 2023.\n\nEn la cláusula 3.1 el preaviso de tres meses se sustituye por un preaviso de un mes.\n',
  'motor.md': '# Pump motor\n\nThe current consumption of the motor in standby is 12 mA.\n',
}

let app: TestApp
let token: string
let workspace: string

beforeAll(async () => {
  ;({ app, token, workspace } = await askLibrary('editions', files))
})
afterAll(() => app.close())

async function linesOf(question: string): Promise<string[]> {
  const { answer } = bodyOf<Answer>(
    await app.send('POST', `/v1/workspaces/${workspace}/ask`, token, { body: { question } }),
  )
  return answer.split('\n').filter((line) => line !== '')
}

describe('the edition in force answers first, then what it replaces', () => {
  test.each([
    ['What is the deposit for a room?', '65 pounds', 'Previously: “… 40 pounds.”'],
    ['What is the current deposit for a room?', '65 pounds', 'Previously: “… 40 pounds.”'],
    ['What deposit does the latest version of the guest house rules ask for?', '65 pounds', '40 pounds'],
    ['Was kostet Klavier im Monat?', '78 Euro', 'Vorher: “Gebühr im Monat: 71 Euro”'],
    ['Was kostet Klavier derzeit im Monat?', '78 Euro', 'Vorher: “Gebühr im Monat: 71 Euro”'],
    [
      'Jusqu’à quelle heure le bassin est-il actuellement ouvert ?',
      '20 heures',
      'Auparavant : “… 18 heures.”',
    ],
  ])('%s', async (question, current, before) => {
    const [lead, first, second, ...rest] = await linesOf(question)
    expect(lead).not.toMatch(/not answer|nicht unmittelbar|pas directement|nicht gefunden/)
    expect(first).toContain(current)
    expect(first).toMatch(/ \[1\]$/)
    expect(second).toContain(before)
    expect(second).toMatch(/ \[2\]$/)
    expect(rest).toEqual([])
  })
})

describe('a question that names an edition gets that one alone', () => {
  test.each([
    ['What was the deposit for a room in version 1.0 of the guest house rules?', '40 pounds'],
    ['What was the deposit in the previous guest house rules?', '40 pounds'],
    ['What deposit does the draft of the guest house rules name?', '90 pounds'],
    ['Was kostete Klavier 2022 im Monat?', '71 Euro'],
    ['Was kostet Klavier im Jahr 2099?', '99 Euro'],
    ['Jusqu’à quelle heure le bassin était-il ouvert selon l’édition 1 du règlement ?', '18 heures'],
    ['How high was the deposit for a room before 2024?', '40 pounds'],
  ])('%s', async (question, value) => {
    const lines = await linesOf(question)
    expect(lines.slice(1).join('\n')).toContain(value)
    const others = [
      '40 pounds',
      '65 pounds',
      '90 pounds',
      '71 Euro',
      '78 Euro',
      '99 Euro',
      '18 heures',
      '20 heures',
    ]
    const text = lines.join('\n')
    expect(others.filter((other) => other !== value && text.includes(other))).toEqual([])
  })
})

describe('what only another edition says is said to be of it', () => {
  test.each([
    ['Where do dogs sleep?', 'An edition that is not in force says:', 'Dogs sleep in the barn.'],
    [
      'Was kostet die Anmeldung?',
      'Eine andere Fassung, die nicht gilt, sagt:',
      'Die Anmeldung kostet 15 Euro.',
    ],
    [
      'Combien coûte le sauna ?',
      'Une autre édition, qui n’est pas en vigueur, dit :',
      'Le sauna coûte 4 euros.',
    ],
  ])('%s', async (question, lead, said) => {
    const [first, second] = await linesOf(question)
    expect(first).toContain(lead)
    expect(second).toContain(said)
  })
})

describe('an amendment goes before the clause that it changes, and before no other', () => {
  test.each([
    [
      'What is the monthly fee?',
      ['815 pounds', '760 pounds', 'Previously: “The monthly fee is 700 pounds.”'],
    ],
    [
      'What is the current notice period of the catering agreement?',
      ['five months', 'Previously: “The notice period is two months.”'],
    ],
    ['Within how many days are invoices paid?', ['14 days']],
    [
      '¿De cuánto es el preaviso del contrato de limpieza?',
      ['un preaviso de un mes', 'Antes: “3.1 El preaviso es de tres meses.”'],
    ],
    ['¿En qué plazo se hace el pago?', ['veinte días']],
    ['¿Cuánto es la cuota mensual del contrato de limpieza?', ['310 euros']],
  ])('%s', async (question, values) => {
    const [, ...lines] = await linesOf(question)
    expect(lines).toHaveLength(values.length)
    for (const [i, value] of values.entries()) expect(lines[i]).toContain(value)
  })
})

test('minutes of different days do not replace each other', async () => {
  const text = (await linesOf('¿Cuál es el saldo de la cuenta de la Sociedad Coral?')).join('\n')
  for (const balance of ['1.200', '1.450', '980']) expect(text).toContain(balance)
  const [, first, ...rest] = await linesOf('¿Cuál es el saldo actual de la cuenta?')
  expect(first).toContain('980 euros')
  expect(rest.join('\n')).not.toContain('1.200')
})

test('a word that asks for an edition is a keyword where the documents say it of the thing', async () => {
  const [, first] = await linesOf('What is the current consumption of the motor in standby?')
  expect(first).toContain('12 mA')
})
