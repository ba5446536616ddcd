// Which table is meant: a value is stated only where no other table may be.

import { expect, test } from 'vitest'
import type { Passage } from '../../../search/passage.ts'
import type { DocumentTables } from '../../tools/read.ts'
import { questionKeywords } from '../keywords.ts'
import { WORDING } from '../wording.ts'
import { composeTableAnswer } from './compose-table.ts'
import { answerFromTables, type TableAnswer } from './table-qa.ts'

function passagesOf(title: string, tables: readonly (readonly string[])[]): Passage[] {
  return tables.map(([head = '', ...body], chunk_no) => {
    const lines = [head, head.replace(/[^|]+/g, ' --- '), ...body].map((line) => `| ${line} |`)
    const id = `${title} ${chunk_no}`
    const own = {
      chunk_id: id,
      chunk_no,
      document_id: title,
      document_title: title,
      document_path: title,
      text: lines.join('\n'),
    }
    return { ...own, heading: '', language: 'en', type: 'table' } as Passage
  })
}

async function answerOf(
  question: string,
  documents: Record<string, readonly (readonly string[])[]>,
  state: Partial<DocumentTables> = {},
): Promise<TableAnswer | undefined> {
  const all = new Map(Object.entries(documents).map(([title, tables]) => [title, passagesOf(title, tables)]))
  const tools = {
    search: async () => [...all.values()].flat(),
    readTables: async (id: string) => ({
      file: '',
      passages: all.get(id) ?? [],
      isComplete: true,
      isWhole: true,
      ...state,
    }),
    outOfTime: () => false,
  }
  const keywordsOf = (text: string) =>
    questionKeywords({ text, language: 'en' }, { terms: [], chunks: all.size })
  const steps = answerFromTables(tools, {
    question,
    language: 'en',
    today: Date.parse('2026-11-29') / 86_400_000,
    isComparison: false,
    synonyms: '',
    foundPassages: [],
    keywordsOf,
  })
  for (;;) {
    const step = await steps.next()
    if (step.done) return step.value
  }
}

const isOnlyPossible = (answer: TableAnswer | undefined): boolean =>
  answer === undefined || (answer.kind === 'partial' && answer.isOnlyPossible)

const titlesIn = (answer: TableAnswer | undefined): string[] =>
  [...(answer?.readings ?? []), ...(answer?.kind === 'partial' ? answer.partials : [])]
    .map(({ table }) => table.title)
    .sort()

const NORTH = ['Supplier | City | Certified', 'Alba | Turin | yes', 'Borg | Ulm | no', 'Cima | Bari | yes']

test('One table alone is stated', async () => {
  const answer = await answerOf('How many suppliers are certified?', { North: [NORTH] })
  expect(answer?.kind === 'stated' && answer.readings.map(({ value }) => value)).toEqual(['2'])
})

test('The figures of a column are not counted as rows', async () => {
  const days = [
    'Years in the co-operative | Days a year',
    'fewer than 3 | 27',
    '3 to 7 | 29',
    '8 to 14 | 31',
    '15 and more | 33',
  ]
  for (const question of ['How many days of holiday are there?', 'How many days are there?']) {
    const answer = await answerOf(question, { Holidays: [days] })
    expect(answer?.kind === 'stated' ? answer.readings.map(({ value }) => value) : []).toEqual([])
  }
})

test('Two tables that say different things are listed with what each would give', async () => {
  const south = ['Supplier | City | Certified', 'Dorn | Brno | yes', 'Elka | Graz | no']
  const answer = await answerOf('How many suppliers are certified?', { North: [NORTH], South: [south] })
  expect(answer?.kind).toBe('several')
  expect(titlesIn(answer)).toEqual(['North', 'South'])
})

test('Beside a table whose cells cannot be read no value is stated', async () => {
  const spend = ['Supplier | Spend', 'Alba | 100', 'Borg | 250']
  const unread = ['Supplier | Spend', 'Dorn | 90', 'Elka | see note', 'Faro | 80']
  const answer = await answerOf('What is the total spend of the suppliers?', { A: [spend], B: [unread] })
  expect(answer?.kind).toBe('partial')
  expect(titlesIn(answer)).toEqual(['A', 'B'])
})

test('A table that goes on without column names is not whole', async () => {
  const rest = ['4 | 18', '5 | 22']
  const ages = {
    Old: [['Member | Age', 'Ada | 31', 'Ben | 44'], rest],
    New: [['Member | Age', 'Cleo | 29', 'Dov | 52']],
  }
  const answer = await answerOf('What is the average age of the members?', ages)
  expect(answer?.kind).toBe('partial')
  expect(titlesIn(answer)).toEqual(['New', 'Old'])
})

test('Tables of a document that is too long are not whole', async () => {
  const question = 'How many suppliers are in Turin?'
  expect(isOnlyPossible(await answerOf(question, { North: [NORTH] }, { isComplete: false }))).toBe(true)
})

test('Tables of documents beyond those that are read may be meant, too', async () => {
  const numbers = Array.from({ length: 20 }, (_, i) => i)
  const same = Object.fromEntries(numbers.map((i) => [`Site ${i}`, [NORTH]]))
  const other = ['Supplier | City | Certified', 'Dorn | Brno | yes', 'Elka | Graz | no']
  const question = 'How many suppliers are certified?'
  const answer = await answerOf(question, { ...same, Last: [other] })
  expect(answer?.kind).toBe('partial')
})

test('A table without what is asked is not meant', async () => {
  const cities = ['City | Inhabitants', 'Turin | 850000', 'Bari | 320000']
  const answer = await answerOf('How many suppliers are certified?', { North: [NORTH], Cities: [cities] })
  expect(answer?.kind).toBe('stated')
})

test('What is a part of the name of a column is no operation', async () => {
  const parts = [
    'Part | Minimum order | Last ordered',
    'P-1 | 500 | 2025-03-01',
    'P-2 | 20 | 2024-05-02',
    'P-3 | 60 | 2025-07-04',
  ]
  const value = async (question: string) => {
    const answer = await answerOf(question, { Parts: [parts] })
    return answer?.kind === 'stated' ? answer.readings.map(({ value }) => value).join() : undefined
  }
  expect(await value('Which part has the highest minimum order?')).toBe('500')
  expect(await value('How many parts were last ordered in 2025?')).toBe('2')
  expect(await value('When was the most recent last order?')).toBe('2025-07-04')
})

test('Rows are counted as what the table is called by', async () => {
  const agenda = ['Time | Speaker', '10:00 | Ada', '11:00 | Ben', '12:00 | Cleo']
  const named = async (title: string) =>
    (await answerOf('How many members are there?', { [title]: [agenda] }))?.kind
  expect(await named('Members meeting')).toBe('partial')
  expect(await named('Members of the club')).toBe('stated')
  expect(await named('Club members (2025)')).toBe('stated')
})

test('Words without a meaning of their own may be what cells say', async () => {
  const heaters = [
    'Heater | Block | Team | State',
    'H1 | A | IT | on',
    'H2 | A | HR | off',
    'H3 | B | IT | off',
  ]
  const count = async (question: string) => {
    const answer = await answerOf(question, { Heaters: [heaters] })
    return answer?.kind === 'stated' ? answer.readings.map(({ value }) => value).join() : undefined
  }
  expect(await count('How many heaters are in block A?')).toBe('2')
  expect(await count('How many heaters are in IT?')).toBe('2')
  expect(await count('How many heaters are in QA?')).toBeUndefined()
  expect(await count('How many heaters are off?')).toBeUndefined()
  const models = ['Station | Model', 'North | TG-40/20', 'South | TG-40/5', 'West | TG-40/20']
  const stations = await answerOf('How many stations have a TG-40/20?', { Stations: [models] })
  expect(stations?.kind === 'stated' && stations.readings[0]?.value).toBe('2')
})

test('What stands beside a condition says no more than it', async () => {
  const staff = [
    'Name | Team | Full time | Leader | Salary (€)',
    'Alda | Sales | yes | Roe | 41000',
    'Bo | IT | no | Lind | 38000',
    'Cem | IT | yes | Lind | 52000',
  ]
  const count = async (question: string) => {
    const answer = await answerOf(question, { Staff: [staff] })
    return answer?.kind === 'stated' ? answer.readings.map(({ value }) => value).join() : undefined
  }
  expect(await count('How many people work in IT?')).toBe('2')
  expect(await count('How many people work full time?')).toBe('2')
  expect(await count('How many people earn more than 40,000 euros?')).toBe('2')
  expect(await count('How many people does Lind lead?')).toBe('2')
  expect(await count('How many people work?')).toBeUndefined()
  expect(await count('How many people were hired by Lind?')).toBeUndefined()
})

test('A month is a row of a table of its year', async () => {
  const sales = ['Month | Sales', 'January | 12,400', 'February | 9,800', 'March | 15,250']
  const value = async (question: string) => {
    const answer = await answerOf(question, { 'Sales 2024': [sales] })
    return answer?.kind === 'stated' ? answer.readings.map(({ value }) => value).join() : undefined
  }
  expect(await value('What were the sales in February 2024?')).toBe('9,800')
  expect(await value('What were the sales in February 2023?')).toBeUndefined()
})

test('A day or month is in what cells, columns or two columns together say, with or without its year', async () => {
  const tables = {
    'On call': [['Date | On call', '2026-07-05 | Reyl', '2026-07-06 | Holm', '2025-07-06 | Nand']],
    'Kitchen rota': [['Day | Cook', 'Mon 6 Jul | Beatriz', 'Tue 7 Jul | Simon']],
    'Room rates': [
      ['Room | Low season (Nov-Mar) | High season (Jul-Aug)', 'Single | 48 | 79', 'Double | 71 | 112'],
    ],
    'Mooring fees': [['Season | Yacht', 'Apr–Jun | 140', 'Jul–Aug | 210', 'Nov–Mar | 60']],
    Stays: [
      [
        'Visitor | Arrival | Departure',
        'Birch | 2026-05-13 | 2026-05-18',
        'Ashdown | 2026-05-10 | 2026-05-14',
      ],
    ],
    Invoices: [
      [
        'Invoice | Issued | Amount (EUR)',
        'R-1 | 2026-03-30 | 100',
        'R-2 | 2026-07-19 | 200',
        'R-3 | 2026-08-23 | 50',
      ],
    ],
    Shifts: [['Week | Helper', '29 Jun – 5 Jul | Noor', '6–12 July | Hal']],
  }
  const value = async (question: string) => {
    const answer = await answerOf(question, tables)
    return answer?.kind === 'stated' ? answer.readings.map(({ value }) => value).join() : undefined
  }
  expect(await value('Who is on call on 6 July?')).toBe('Holm')
  expect(await value('Who is the cook on 7 July?')).toBe('Simon')
  expect(await value('Who is the cook on Tuesday 7 July?')).toBe('Simon')
  expect(await value('What is the price of a double room in August?')).toBe('112')
  expect(await value('What is the price of a single room on 2 January 2027?')).toBe('48')
  expect(await value('What is the fee for a yacht in July?')).toBe('210')
  expect(await value('What is the fee for a yacht in September?')).toBeUndefined()
  expect(await value('Which visitor is staying on 16 May?')).toBe('Birch')
  expect(await value('What is the total amount of the invoices in Q3?')).toBe('250 EUR')
  expect(await value('Who is the helper on 8 July?')).toBe('Hal')
  expect(await value('Who is the helper on 8 July 2031?')).toBe('Hal')
  expect(await value('Who is the cook on 7 July 2031?')).toBeUndefined()
  // A year more or less is another invoice.
  expect(await value('What is the total amount of the invoices in July 2025?')).toBeUndefined()
})

test('What a row is called is no operation, and a column called by days has a name', async () => {
  const ferry = [
    'Crossing | Summer (1 Apr – 30 Sep) | Winter (1 Oct – 31 Mar)',
    'First boat | 06:40 | 07:30',
    'Last boat | 21:15 | 18:45',
  ]
  const answer = await answerOf('When is the last boat on 10 May?', { Ferry: [ferry] })
  expect(answer?.kind === 'stated' && answer.readings.map(({ value }) => value)).toEqual(['21:15'])
})

test('A number of years is compared with ranges of ages', async () => {
  const fees = [
    'Age | Weekday | Weekend',
    'under 4 | free | free',
    '4 to 11 | £2.50 | £3.00',
    '65 and over | £4 | £5',
  ]
  const answer = await answerOf('What is the price for a child aged 10 at the weekend?', { Baths: [fees] })
  expect(answer?.kind === 'stated' && answer.readings[0]?.value).toBe('£3.00')
})

const readings = (documents: Record<string, readonly (readonly string[])[]>) => async (question: string) => {
  const answer = await answerOf(question, documents)
  return answer?.kind === 'stated' ? answer.readings.map(({ value }) => value).join() : undefined
}

test('Sums and means by any name are no rows', async () => {
  const rows = ['Department | Cost', 'Library | 100', 'Museum | 300', 'Pool | 200']
  const subtotal = [...rows.slice(0, 3), 'Subtotal culture | 400', 'Pool | 200', 'Total | 600']
  for (const table of [
    rows,
    [...rows, 'Average | 200'],
    [...rows, ' | 600'],
    [...rows, 'Overall | 600'],
    subtotal,
  ]) {
    const value = readings({ Costs: [table] })
    expect(await value('What is the total cost of the departments?')).toBe('600')
    expect(await value('How many departments are there?')).toBe('3')
    expect(await value('What is the highest cost of a department?')).toBe('300')
  }
  const all = readings({ Costs: [[...rows, 'All departments | 600']] })
  expect(await all('What is the total cost of the departments?')).toBe('600')
  // These may be sums or departments.
  for (const row of ['Total North | 70', 'Administration | 600']) {
    const value = readings({ Costs: [[...rows, row]] })
    expect(await value('What is the total cost of the departments?')).toBeUndefined()
  }
})

test('What is not understood of a question states no number', async () => {
  const value = readings({
    Fleet: [
      [
        'Van | Depot | Insured | Electric | Mileage (km)',
        'V1 | Cork | yes | no | 48200',
        'V2 | Sligo | no | yes | 12900',
        'V3 | Cork | yes | yes | 33000',
      ],
    ],
  })
  expect(await value('How many vans are insured but not electric?')).toBe('1')
  expect(await value('How many vans in Cork or Sligo are insured?')).toBe('2')
  expect(await value('How many vans have a mileage between 30,000 and 50,000 km?')).toBe('2')
  for (const question of [
    'How many vans are insured or electric?',
    'How many vans are not insured or electric?',
    'How many vans are outside Cork?',
    'How many vans are over budget?',
    'What is the second highest mileage of the vans?',
    'How many vans are in Dublin?',
  ])
    expect(await value(question), question).toBeUndefined()
})

test('That no row meets several conditions is not stated as a count', async () => {
  expect(await answerOf('How many certified suppliers are in Ulm?', { North: [NORTH] })).toBeUndefined()
})

test('The same number of other rows is not the same answer, in a count or in a list', async () => {
  const south = ['Supplier | City | Certified', 'Dago | Linz | no', 'Ebro | Lyon | yes', 'Fado | Faro | yes']
  for (const question of ['How many suppliers are certified?', 'Which suppliers are certified?'])
    expect((await answerOf(question, { North: [NORTH], South: [south] }))?.kind).not.toBe('stated')
})

test('An empty cell is said to be empty, and of two classes that share a border none is chosen', async () => {
  const prices = ['Weight kg | Price EUR', '0 to 5 | 4', '5 to 10 | 8', '10 to 20 | ', '20 to 40 | 16']
  const answer = async (kg: number) => {
    const found = await answerOf(`What is the price for ${kg} kg?`, { Prices: [prices] })
    return found?.kind === 'stated' ? found.readings[0]?.value : undefined
  }
  expect(await Promise.all([3, 5, 15, 30].map(answer))).toEqual(['4', undefined, '', '16'])
  const shared = await answerOf('What is the price for 5 kg?', { Prices: [prices] })
  expect(shared?.kind === 'partial' && shared.partials[0]?.rows.length).toBe(2)
})

test('A row of all the others is none of them, although its percentages are means', async () => {
  const sites = [
    'Site | Invited | Answered | Rate %',
    'Hamburg | 100 | 80 | 80',
    'Bremen | 90 | 63 | 70',
    'Emden | 60 | 42 | 70',
    'Kiel | 50 | 42 | 84',
    'All sites | 300 | 227 | 76',
  ]
  const answer = await answerOf('How many sites are there?', { Survey: [sites] })
  expect(answer?.kind === 'stated' ? answer.readings[0] : answer).toMatchObject({ value: '4', all: 4 })
})

test('A column of prices has no things that could be counted or listed', async () => {
  const prices = [
    'Service | Member | Guest',
    'Pressing, 100 kg | 14.00 € | 19.50 €',
    'Bottle with cap | 0.95 € | 0.95 €',
    'Renting the ladder | free | 6.00 €',
    'Renting the trailer | 12.00 € | not available',
  ]
  const value = readings({ Prices: [prices] })
  expect(await value('How many members are there?')).toBeUndefined()
  expect(await value('Which guests are there?')).toBeUndefined()
  expect(await value('How many services are there?')).toBe('4')
})

const STAFF = [
  'Name | Department | Start date | Remote work | First aider | Salary (€)',
  'Mara Lind | Sales | 2019-03-01 | yes | no | 41000',
  'Jon Alder | Sales | 2021-09-15 | no | yes | 52000',
  'Pia Ragan | Finance | 2018-01-08 | yes | yes | 38000',
  'Ole Peters | Finance | 2022-02-01 | no | no | 45000',
]

test('The rows of a table may be called by another word than its own', async () => {
  const value = readings({ 'Staff list': [STAFF] })
  expect(await value('How many employees are there?')).toBe('4')
  expect(await value('How many people work in Sales?')).toBe('2')
  expect(await value('How many employees in Finance work remotely?')).toBe('1')
  expect(await value('Which employees started after 2020?')).toBe('2')
  expect(await value('Who is a first aider?')).toBe('2')
  expect(await value('How many managers are there?')).toBeUndefined()
  expect(await value('How many customers are there?')).toBeUndefined()
  const boats = readings({ Boats: [['Name | Built', 'Gannet | 2009', 'Plover | 2015']] })
  expect(await boats('How many people are there?')).toBeUndefined()
  expect(await boats('What is the oldest boat?')).toBe('2009')
  expect(await boats('Which boat is the newest?')).toBe('2015')
  const trees = readings({ Trees: [['Tree | Planted', 'W1 | 1962', 'W2 | 1935', 'W3 | 2001']] })
  expect(await trees('Which is the oldest tree?')).toBe('1935')
})

test('A cell is stated where its row and column are named, of several rows each', async () => {
  const value = readings({ 'Staff list': [STAFF], Vans: [VANS] })
  expect(await value('What is the salary of Jon Alder?')).toBe('52000 €')
  expect(await value('What is the mileage of the VW Caddy?')).toBe('V1: 84200; V2: 51700')
  expect(await value('What is the mileage of the Opel Vivaro?')).toBe('')
  expect(await value('What is the colour of the Opel?')).toBeUndefined()
  // Another Opel may be meant.
  expect(await value('What is the mileage of the Opel?')).toBeUndefined()
})

const VANS = [
  'Van | Model | Mileage',
  'V1 | VW Caddy | 84200',
  'V2 | VW Caddy | 51700',
  'V3 | Ford Transit | 9000',
  'V4 | Opel Vivaro | ',
]

test('A superlative without a column means the column of its kind', async () => {
  const value = readings({
    Rooms: [
      ['Room | Floor | Capacity', 'Ems | 1 | 12', 'Leda | 2 | 40', 'Jade | 2 | 8'],
      ['Parcel | Weight', 'A | 640 g', 'B | 4.8 kg', 'C | 85 g'],
    ],
  })
  expect(await value('Which room is the largest?')).toBe('40')
  expect(await value('What is the heaviest parcel?')).toBe('4.8 kg')
  expect(await value('How many rooms are on the second floor?')).toBe('2')
  expect(await value('Which room is the most beautiful?')).toBeUndefined()
})

test('Two columns are compared where it is certain which', async () => {
  const value = readings({
    Stock: [
      [
        'Article | Quantity | Weight | Minimum stock',
        'A | 1200 | 85 g | 1000',
        'B | 340 | 1 kg | 400',
        'C | 0 | 2 kg | 120',
      ],
    ],
    Budget: [
      ['Category | Planned (EUR) | Spent (EUR)', 'Rent | 96 | 96', 'Travel | 28 | 31', 'Food | 40 | 20'],
    ],
    Orders: [
      [
        'Order | Due | Delivered',
        'O1 | 2025-03-01 | 2025-03-05',
        'O2 | 2025-04-01 | 2025-03-30',
        'O3 | 2025-05-01 | 2025-05-01',
      ],
    ],
    Loans: [['Loan | Due | Returned', 'L1 | 2025-03-01 | 2025-03-05', 'L2 | 2025-04-01 | ']],
    Sites: [['Site | Men | Women | Target', 'S1 | 10 | 20 | 15', 'S2 | 20 | 30 | 18']],
  })
  expect(await value('How many articles are below the minimum stock?')).toBe('2')
  expect(await value('Which category went over budget?')).toBe('Travel')
  expect(await value('How many orders were delivered late?')).toBe('1')
  expect(await value('How many orders were delivered after they were due?')).toBeUndefined()
  expect(await value('How many loans were returned late?')).toBeUndefined()
  expect(await value('How many sites are above the target?')).toBeUndefined()
})

test('For a number that no table certainly says, the tables that may be meant are named', async () => {
  const answer = await answerOf('How many employees in Finance have a motorbike?', {
    'Staff list': [STAFF],
    Vans: [VANS],
  })
  expect(answer).toMatchObject({ kind: 'partial', isOnlyPossible: true })
  expect(titlesIn(answer)).toEqual(['Staff list'])
  for (const question of ['How many whales are in the sea?', 'How many dogs do the staff have?'])
    expect(await answerOf(question, { 'Staff list': [STAFF] }), question).toBeUndefined()
})

test('Of a question that a table has in part, the rows that meet the rest are told with what was not placed', async () => {
  const partialOf = async (question: string) => {
    const answer = await answerOf(question, { Vans: [VANS], 'Staff list': [STAFF] })
    const [one] = answer?.kind === 'partial' ? answer.partials : []
    return one && [one.table.title, one.unplacedWords.join(), one.rows.length, one.all]
  }
  expect(await partialOf('How many employees in Finance have a motorbike?')).toEqual([
    'Staff list',
    'motorbike',
    STAFF.filter((row) => row.includes('Finance')).length,
    STAFF.length - 1,
  ])
  // What "except" or "per" relates to is not certain: nothing is left out for it.
  expect((await partialOf('How many employees are there except in Finance?'))?.slice(2)).toEqual([
    STAFF.length - 1,
    STAFF.length - 1,
  ])
  expect(await partialOf('How many employees of Borealis have a motorbike?')).toBeUndefined()
})

test('A column that the question denies is none that it asks for', async () => {
  const prices = [
    'Service | Member | Guest',
    'Pressing, 100 kg | 14.00 € | 19.50 €',
    'Trailer | 12.00 € | 15.00 €',
  ]
  const answer = await answerOf('how much does it cost to press 100 kg if im not a member', {
    Prices: [prices],
  })
  const [one] = answer?.kind === 'partial' ? answer.partials : []
  expect(one?.subjects).toEqual([])
})

test('What cannot or does not is denied, and a day until which something holds is not its only one', async () => {
  const value = readings({
    Pupils: [['Pupil | Swimmer', 'Ada | yes', 'Ben | no', 'Cleo | yes', 'Dov | no']],
    Tools: [['Tool | Warranty until', 'Saw | 2025-02-09', 'Drill | 2027-01-14', 'Press | 2024-05-03']],
  })
  expect(await value('How many pupils cannot swim?')).toBe('2')
  expect(await value("How many pupils can't swim?")).toBe('2')
  expect(await value('How many tools are out of warranty on 1 January 2026?')).toBeUndefined()
  expect(await value('How many tools are in warranty on 1 January 2026?')).toBeUndefined()
})

test('Beside a word that is not placed, rows of yes and of no are shown', async () => {
  const trip = ['Pupil | Class | Consent form', 'Ada | 6a | yes', 'Ben | 6b | no', 'Cleo | 6a | no']
  const answer = await answerOf('How many pupils in 6a have not handed in the consent form?', {
    Trip: [trip],
  })
  const [one] = answer?.kind === 'partial' ? answer.partials : []
  expect(one).toMatchObject({ conditions: ['Class: 6a'], subjects: ['Pupil', 'Consent form'] })
  expect(one?.rows).toHaveLength(2)
})

test('A table of which only a cell is said is not shown beside other words', async () => {
  const items = ['Item | Number | Remark', 'Electricity meter | 1 | read', 'Keys | 4 | -', 'Boiler | 1 | -']
  expect(
    await answerOf('How many electric vans does the co-operative own?', { Lease: [items] }),
  ).toBeUndefined()
})

test('Letters behind numbers are codes where they are no one unit', async () => {
  const value = readings({
    Pupils: [['Pupil | Class', 'Ada | 6a', 'Ben | 6b', 'Cleo | 6b']],
    Lamps: [['Lamp | Power', 'L1 | 60W', 'L2 | 40W', 'L3 | 100W']],
  })
  expect(await value('How many pupils are in 6b?')).toBe('2')
  expect(await value('Which lamp has the highest power?')).toBe('100W')
})

test('A unit names the column that is measured in it', async () => {
  const value = readings({ Log: [['Driver | Km', 'Sven | 212', 'Jule | 87', 'Sven | 148']] })
  expect(await value('How many kilometres did Sven drive?')).toBe('360')
})

test('A mean is rounded half up, as it is written', async () => {
  const value = readings({ Suppliers: [['Supplier | Rating', 'A | 4.5', 'B | 4.0', 'C | 3.8', 'D | 4.4']] })
  expect(await value('What is the average rating of the suppliers?')).toBe('4.18')
})

test('A period that names a table or a column keeps its relation', async () => {
  const value = readings({
    'Orders 2026': [
      ['Order | Date | Amount', 'O1 | 2026-01-05 | 20', 'O2 | 2026-02-05 | 30', 'O3 | 2026-03-05 | 15'],
    ],
    'Staff 2024': [['Employee | Team', 'Ada | IT', 'Ben | HR', 'Cleo | IT']],
    Sales: [
      [
        'Shop | Revenue 2023 EUR | Revenue 2024 EUR',
        'Oslo | 10.5 | 12.5',
        'Bergen | 10.5 | 12.5',
        'Kiel | 1.5 | 2.5',
      ],
    ],
  })
  expect(await value('How many orders are there in 2026?')).toBe('3')
  expect(await value('How many orders were there after January 2026?')).toBe('2')
  for (const question of [
    'How many orders before 2026?',
    'How many orders after 2026?',
    'What is the total amount of the orders before 2026?',
    'How many staff after 2024?',
    'What is the total revenue before 2024?',
    'What is the total revenue since 2023?',
    'What is the total revenue after 2023?',
  ])
    expect(await value(question), question).toBeUndefined()
})

test('A row that is called like a sum and is none counts, or nothing is stated', async () => {
  const media = readings({
    Departments: [['Department | Budget', 'Sales | 120', 'Media | 200', 'IT | 150', 'HR | 200']],
  })
  expect(await media('What is the total budget of the departments?')).not.toBe('470')
  const sites = readings({
    Trainings: [
      ['Site | Training | Hours', 'All | A | 2', 'Oslo | B | 8', 'Bergen | C | 6', 'Bergen | D | 10'],
    ],
  })
  expect(await sites('What is the total of hours of the trainings?')).not.toBe('24')
  expect(await sites('How many trainings are there?')).not.toBe('3')
  const days = readings({ Units: [['Day | Units', '01-01 | 10', '02-01 | 20', '03-01 | 30', '04-01 | 60']] })
  expect(await days('What is the total of units?')).not.toBe('60')
})

test('Where it is not certain which columns are compared, or what rows are counted, the table is named', async () => {
  const regions = [
    'Region | Revenue | Target | Employees',
    'North | 1250 | 1200 | 14',
    'South | 980 | 1100 | 11',
  ]
  const herd = [
    'Animal | Species | Weight',
    'Lotte | goat | 58 kg',
    'Emil | goat | 61 kg',
    'Rosa | cow | 710 kg',
  ]
  for (const question of ['Which regions are below target?', 'How many goats are there?'])
    expect(await answerOf(question, { Regions: [regions], Herd: [herd] }), question).toMatchObject({
      kind: 'partial',
      isOnlyPossible: true,
    })
})

test('What a cell says is denied only by words that are all of it', async () => {
  const boats = {
    Boats: [['Boat | Status', 'Heron | ready', 'Otter | rudder broken', 'Pike | withdrawn from use']],
  }
  const unclear = await answerOf('Which boats cannot be used?', boats)
  expect(unclear?.kind).not.toBe('stated')
  const stated = await answerOf('Which boats are not ready?', boats)
  expect(stated?.readings.map(({ names }) => names)).toEqual([['Otter', 'Pike']])
})

test('Two columns over and up to are the ends of a range', async () => {
  const rates = [
    'Over (kg) | Up to (kg) | Inland | EU',
    '0 | 2 | 3.60 | 9.40',
    '2 | 5 | 5.10 | 12.60',
    '5 | 9 | 9.70 | 22',
  ]
  const value = readings({ Rates: [rates] })
  expect(await value('What is the inland rate for 4 kg?')).toBe('5.10')
  // Two is not over two.
  expect(await value('What is the inland rate for 2 kg?')).toBe('3.60')
})

test('A year in the unit of a column makes no numbering of it', async () => {
  const fields = ['Field | Rent (€ a year)', 'Gallows | 1530', 'Duck Pond | 378', 'Long Acre | 900']
  const answer = await answerOf('What is the total rent of the fields?', { Fields: [fields] })
  expect(answer?.kind === 'stated' && answer.readings.map(({ value }) => value)).toEqual(['2808 € a year'])
})

test('What is not certain says what it would give', async () => {
  const members = [
    'Name | Squad | Role',
    'Jo | Minnows | Swimmer',
    'Al | Sharks | Swimmer',
    'Bo | Minnows | Coach',
  ]
  const answer = await answerOf('How many swimmers are there in the Minnows?', { Club: [members] })
  expect(answer?.kind === 'partial' && answer.partials.map(({ results }) => results[0]?.value)).toEqual(['1'])
})

test('A change of percentages is written as points in each language', async () => {
  const table = [' | 2019 | 2020', 'Gross margin | 20 % | 25 %', 'Net margin | 10 % | 11 %']
  const change = async (row: string, language: 'en' | 'de' | 'fr' | 'es') => {
    const question = `What was the percentage change in ${row} from 2019 to 2020?`
    const answer = await answerOf(question, { Report: [table] })
    const writing = { wording: WORDING[language], language, citationNumberOf: () => 1 }
    return /^\*\*(.+?)\*\*/.exec(answer ? composeTableAnswer(answer, writing) : '')?.[1]
  }
  expect(await change('gross margin', 'en')).toBe('5 percentage points')
  expect(await change('net margin', 'en')).toBe('1 percentage point')
  expect(await change('gross margin', 'de')).toBe('5 Prozentpunkte')
  expect(await change('gross margin', 'fr')).toBe('5 points de pourcentage')
  expect(await change('gross margin', 'es')).toBe('5 puntos porcentuales')
})

test('"Yet" sets no condition for the rows of a column of yes and no', async () => {
  const bookings = ['Group | Paid', 'Alba club | yes', 'Borg school | no', 'Cima guides | yes']
  const answer = await answerOf('Which groups have not paid yet?', { Bookings: [bookings] })
  const readings = [...(answer?.readings ?? []), ...(answer?.kind === 'partial' ? answer.partials : [])]
  expect(readings.map(({ conditions, rows }) => [conditions, rows.length])).toEqual([[['Paid: no'], 1]])
})

test('A question for a price is not answered by a table without amounts of money', async () => {
  const bookings = ['Group | Board | Persons', 'Alba club | Half board | 4', 'Borg school | None | 22']
  const prices = ['Item | Members | Guests', 'Half board | 38.00 | 44.50', 'Packed lunch | 9.50 | 11.00']
  const answer = await answerOf('How much is half board for a toddler?', {
    Bookings: [bookings],
    Prices: [prices],
  })
  expect(titlesIn(answer)).toEqual(['Prices'])
})
