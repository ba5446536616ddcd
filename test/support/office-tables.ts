// Tables of an office, and questions for numbers with what each answer states first. All names are invented.

const table = (...rows: string[]): string => {
  const [head = '', ...body] = rows
  const rule = head
    .split('|')
    .map(() => '---')
    .join(' | ')
  return [head, rule, ...body].map((row) => `| ${row} |`).join('\n')
}

export const files: Record<string, string> = {
  'boats.md': `# Boats of the hire station\n\n${table(
    'Boat | Berth | Insured | Length (m) | Built',
    'Gannet | North pier | yes | 6.5 | 2009',
    'Plover | South pier | no | 5.2 | 2015',
    'Dunlin | North pier | yes | 7.1 | 2018',
    'Knot | South pier | yes | 5.2 | 2021',
    'Curlew | North pier | no | 9.4 | 2003',
  )}\n`,
  'volunteers.csv':
    'name,town,first aid,joined,hours\nAnneke Dool,Harle,TRUE,2019-03-02,120\nBram Sloot,Varn,FALSE,2021-07-15,80\nCarla Wiebe,Harle,TRUE,2022-01-30,45\nDirk Onnen,Harle,FALSE,2023-05-11,60\nElin Berg,Varn,TRUE,2024-02-08,30\nFokke Tammen,Varn,,2024-09-01,10\n',
  'geraete.csv':
    'Gerät;Raum;geprüft;Preis EUR;Anschaffung\nBohrmaschine;Halle 1;ja;189,90;2018\nKreissäge;Halle 2;nein;420,00;2016\nSchleifer;Halle 1;ja;99,50;2021\nHobel;Halle 2;ja;350,00;2019\n',
  'parcel-rates.md': `# Parcel rates\n\n${table(
    'Weight | Price',
    'up to 2 kg | 4.90 EUR',
    'over 2 to 5 kg | 6.50 EUR',
    'over 5 to 10 kg | 9.20 EUR',
    'over 10 to 30 kg | 16.80 EUR',
  )}\n`,
  'mayors.md': `# Mayors of Harle\n\n${table(
    'From | To | Mayor',
    '1998 | 2006 | Wiard Poppen',
    '2006 | 2014 | Hilke Remmers',
    '2014 | 2022 | Onno Fresemann',
    '2022 | today | Tjark Ubben',
  )}\n`,
  'spending-2025.md': `# Spending 2025\n\n${table(
    'Department | First half | Second half | Total',
    'Library | 41,000 | 39,500 | 80,500',
    'Museum | 58,200 | 61,300 | 119,500',
    'Pool | 77,000 | 70,000 | 147,000',
    'Total | 176,200 | 170,800 | 347,000',
  )}\n`,
  'spending-2024.md': `# Spending 2024\n\n${table(
    'Department | First half | Second half | Total',
    'Library | 40,000 | 38,000 | 78,000',
    'Museum | 51,000 | 60,000 | 111,000',
    'Total | 91,000 | 98,000 | 189,000',
  )}\n`,
  'rooms.md': `# Rooms\n\n${table(
    'Room | Floor | Seats | Projector | Step-free',
    'Ems | 1 | 12 | ✓ | ✓',
    'Leda | 1 | 8 | – | ✓',
    'Jade | 2 | 30 | ✓ | –',
    'Hunte | 3 | 16 | – | –',
  )}\n`,
  'adherents.csv':
    'adhérent,ville,cotisation payée,montant\nLuc Perrin,Dole,oui,40\nMarie Vial,Arbois,non,40\nPaul Roche,Dole,oui,60\nNina Caron,Dole,non,40\n',
  'pedidos.csv':
    'pedido,cliente,fecha,importe,entregado\nP-1,Casa Lerma,2025-01-10,120.50,sí\nP-2,Bar Tito,2025-01-22,80.00,no\nP-3,Casa Lerma,2025-02-03,200.00,sí\nP-4,Bar Tito,2025-03-15,55.25,sí\nP-5,Hotel Sol,2025-03-30,310.00,no\n',
  'wells.md':
    '# Wells of the district\n\n' +
    [
      ['Amber', 'Harle', '14 m', 'open'],
      ['Basalt', 'Varn', '22 m', 'closed'],
      ['Chalk', 'Harle', '9 m', 'open'],
      ['Dolomite', 'Varn', '31 m', 'open'],
    ]
      .map(
        ([name, town, depth, state]) =>
          `## Well ${name}\n\nTown: ${town}. Depth: ${depth}. State: ${state}.\n`,
      )
      .join('\n'),
  'keys-office.md': `# Keys of the office\n\n${table('Key | Holder | Door', 'K1 | Anneke Dool | Front', 'K2 | Bram Sloot | Back', 'K3 | Carla Wiebe | Front')}\n`,
  'keys-depot.md': `# Keys of the depot\n\n${table('Key | Holder | Door', 'D1 | Dirk Onnen | Gate', 'D2 | Elin Berg | Gate')}\n`,
  // 450 rows are read as three tables of 200 rows at most.
  'meters.csv': `meter,street,reading,replaced\n${Array.from(
    { length: 450 },
    (_, i) =>
      `M-${1000 + i},${['Kiln Lane', 'Mill Road', 'Ropewalk'][i % 3]},${100 + i},${i % 5 === 0 ? 'yes' : 'no'}`,
  ).join('\n')}\n`,
  'note.md': '# Note on the hire station\n\nThe station was opened in 1998. It lends bicycles, too.\n',
}

// A value stands in bold at the beginning; a list of tables says so first.
export const STATED = /^\*\*/
export const SEVERAL = /^(?:Several tables|Mehrere Tabellen|Plusieurs tableaux|Puede tratarse)/

/** What the first line states; `none` where no number may be stated; `tables` where several must be named. */
export type Gold = RegExp | 'none' | 'tables'

export const QUESTIONS: readonly (readonly [question: string, gold: Gold])[] = [
  ['How many boats are insured?', /^\*\*3\*\* of 5.*Insured: yes.*Boats of the hire station \[1\]/],
  ['How many boats are not insured?', /^\*\*2\*\* of 5/],
  ['How many uninsured boats are there?', /^\*\*2\*\* of 5/],
  ['How many boats lie at the North pier?', /^\*\*3\*\* of 5/],
  ['How many boats are at the North pier and insured?', /^\*\*2\*\* of 5/],
  ['How many boats are longer than 6 m?', /^\*\*3\*\* of 5/],
  ['How many boats were built before 2010?', /^\*\*2\*\* of 5 \(Boat; Built: before 2010\)/],
  ['How many boats were built since 2018?', /^\*\*2\*\* of 5/],
  ['Which boat is the longest?', /^\*\*Highest Length \(m\): 9\.4.*Curlew/],
  ['How many boats are heated?', 'none'],
  ['How many boats are there? Count only those of the south pier with a cabin.', 'none'],
  ['How many bicycles does the station have?', 'none'],
  ['Is the Plover insured?', /^\*\*No\*\*/],
  ['How many volunteers are from Harle?', /^\*\*3\*\* of 6/],
  ['How many volunteers in Harle have first aid?', /^\*\*2\*\* of 6/],
  // One cell is empty: nobody knows.
  ['How many volunteers have no first aid?', 'none'],
  ['How many volunteers joined in 2024?', /^\*\*2\*\* of 6/],
  ['How many volunteers joined between 2021 and 2023?', /^\*\*3\*\* of 6/],
  ['What is the total of the hours of the volunteers?', /^\*\*Sum of hours: 345\*\*/],
  ['How many hours did the volunteers from Varn work?', /^\*\*120\*\* \(Sum of hours;/],
  ['What is the average of the hours of the volunteers in Harle?', /^\*\*Mean of hours: 75\*\*/],
  ['Wie viele Geräte sind geprüft?', /^\*\*3\*\* von 4/],
  ['Wie viele Geräte sind nicht geprüft?', /^\*\*1\*\* von 4/],
  ['Wie viele Geräte stehen in Halle 1?', /^\*\*2\*\* von 4/],
  ['Wie viele Geräte sind in Halle 1?', /^\*\*2\*\* von 4/],
  ['Wie hoch ist der Gesamtpreis der Geräte?', /^\*\*Summe von Preis EUR: 1059[.,]4/],
  ['Welches Gerät ist das teuerste?', /^\*\*Größter Wert von Preis EUR: 420,00.*Kreissäge/],
  ['Wie viele Geräte sind teurer als 300 Euro?', /^\*\*2\*\* von 4/],
  ['What does a parcel of 4 kg cost?', /^\*\*6\.50 EUR\*\*/],
  ['What does a parcel of 2 kg cost?', /^\*\*4\.90 EUR\*\*/],
  ['What is the price of a parcel of 12 kg?', /^\*\*16\.80 EUR\*\*/],
  ['What does a parcel of 40 kg cost?', 'none'],
  // "Letter" is no word of the table: the row is quoted, and no row for another weight.
  ['What does a letter of 4 kg cost?', 'none'],
  ['Who was the mayor in 2010?', /^\*\*Hilke Remmers\*\*/],
  ['Who was the mayor of Harle in 2003?', /^\*\*Wiard Poppen\*\*/],
  ['Who was the mayor in 2024?', /^\*\*Tjark Ubben\*\*/],
  ['Who was the mayor in 2014?', /^\*\*Hilke Remmers, Onno Fresemann\*\*/],
  ['Who was the mayor in 1990?', 'none'],
  ['What is the total spending of 2025?', /^\*\*Sum of Total: 347,000\*\* \(row of totals/],
  ['What is the total spending of the second half of 2024?', /98,000/],
  ['What is the total spending?', 'tables'],
  ['How many departments are there in 2025?', /^\*\*3\*\*/],
  ['How many rooms have a projector?', /^\*\*2\*\* of 4/],
  ['How many rooms have no projector?', /^\*\*2\*\* of 4/],
  ['How many rooms are step-free and have a projector?', /^\*\*1\*\* of 4/],
  ['How many seats are there on floor 1?', /^\*\*20\*\* \(Sum of Seats;/],
  ['How many rooms have more than 10 seats?', /^\*\*3\*\* of 4/],
  ['How many seats does the room Jade have?', /^\*\*30\*\*/],
  ["Combien d'adhérents ont payé la cotisation ?", /^\*\*2\*\* sur 4/],
  ["Combien d'adhérents n'ont pas payé la cotisation ?", /^\*\*2\*\* sur 4/],
  ["Combien d'adhérents sont à Dole ?", /^\*\*3\*\* sur 4/],
  ['¿Cuántos pedidos están entregados?', /^\*\*3\*\* de 5/],
  ['¿Cuántos pedidos no están entregados?', /^\*\*2\*\* de 5/],
  ['¿Cuál es el importe total de los pedidos en enero?', /^\*\*Suma de importe: 200[.,]5/],
  ['¿Cuál es el importe total de los pedidos de Casa Lerma?', /^\*\*Suma de importe: 320[.,]5/],
  ['¿Cuántos pedidos hay en marzo?', /^\*\*2\*\* de 5/],
  ['How many wells are there?', /^\*\*4\*\*/],
  ['How many wells are open?', /^\*\*3\*\* of 4/],
  ['Which wells are in Varn?', /^\*\*Well Basalt, Well Dolomite\*\*/],
  ['Which well has the greatest depth?', /^\*\*Highest Depth: 31 m.*Well Dolomite/],
  ['How many keys are there?', 'tables'],
  ['How many keys of the depot are there?', /^\*\*2\*\*/],
  ['How many meters are replaced?', /^\*\*90\*\* of 450/],
  ['How many meters are in Mill Road?', /^\*\*150\*\* of 450/],
  ['What is the highest reading of the meters?', /^\*\*Highest reading: 549\*\*/],
  ['How many meters are broken?', 'none'],
]
