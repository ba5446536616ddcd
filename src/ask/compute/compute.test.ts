import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Computation, compute } from './compute.ts'
import type { Row } from './table.ts'

const rowsOf = (headers: string[], ...lines: string[][]): Row[] =>
  lines.map((texts) => ({
    cells: texts.map((text, i) => ({ header: headers[i] ?? '', text })).filter(({ text }) => text !== ''),
  }))

const parts = rowsOf(
  ['Part', 'Supplier', 'Price', 'Stock', 'Since'],
  ['MF-204', 'Osterby Cables', '€14.50', '1,200', '2021-05-01'],
  ['MF-310', 'Osterby Cables', '€2.10', '40', '2019-01-15'],
  ['PX-7', 'Brightwater Sensors', '€226.00', 'n/a', '2020-11-30'],
)
const run = (computation: Partial<Computation> & Pick<Computation, 'operation'>, rows = parts) =>
  compute(rows, { columns: [], ...computation }, 'en')
const names = (rows: readonly Row[]): string[] => rows.map(({ cells }) => cells[0]?.text ?? '')

describe('compute', () => {
  it('adds up exactly, with the unit and the rows used', () => {
    const outcome = run({ operation: 'sum', columns: ['Price'] })
    expect(outcome).toMatchObject({ kind: 'value', value: '242.6', unit: '€', exact: true, skipped: [] })
    expect(outcome.kind === 'value' && names(outcome.rows)).toEqual(['MF-204', 'MF-310', 'PX-7'])
  })

  it('adds up what is filtered, letter case aside', () => {
    const where = [{ column: 'supplier', is: 'contains', value: 'OSTERBY' }] as const
    expect(run({ operation: 'sum', columns: ['price'], where })).toMatchObject({ value: '16.6' })
    expect(run({ operation: 'count', where })).toMatchObject({ value: '2' })
  })

  it('compares and adds units of one dimension in the unit of the first', () => {
    const weights = rowsOf(['Part', 'Weight'], ['A', '85 g'], ['B', '1.2 kg'], ['C', '640 g'])
    const most = run({ operation: 'max', columns: ['Weight'] }, weights)
    expect(most.kind === 'value' && names(most.rows)).toEqual(['B'])
    expect(run({ operation: 'sum', columns: ['Weight'] }, weights)).toMatchObject({
      value: '1925',
      unit: 'g',
    })
    const periods = rowsOf(['Contract', 'Notice'], ['A', '12 months'], ['B', '1 month'], ['C', '1 year'])
    const longest = run({ operation: 'max', columns: ['Notice'] }, periods)
    expect(longest.kind === 'value' && names(longest.rows)).toEqual(['A', 'C'])
    const others = rowsOf(['Part', 'Size'], ['A', '85'], ['B', '1.2 kg'], ['C', '4 l'])
    expect(run({ operation: 'max', columns: ['Size'] }, others)).toMatchObject({ kind: 'refused' })
  })

  it('filters, sorts and subtracts across units of one dimension', () => {
    const weights = rowsOf(
      ['Part', 'Weight'],
      ['A', '900 g'],
      ['B', '1.2 kg'],
      ['C', '1500 g'],
      ['D', '2 kg'],
    )
    const where = [{ column: 'Weight', is: 'at_least', value: '1 kg' }] as const
    const sort = { column: 'Weight', order: 'descending' } as const
    const heavy = run({ operation: 'rows', where, sort }, weights)
    expect(heavy.kind === 'rows' && names(heavy.rows)).toEqual(['D', 'C', 'B'])
    const two = rowsOf(['Part', 'Weight'], ['A', '500 g'], ['B', '2 kg'])
    expect(run({ operation: 'difference', columns: ['Weight'] }, two)).toMatchObject({
      value: '-1500',
      unit: 'g',
    })
    expect(run({ operation: 'ratio', columns: ['Weight'] }, two)).toMatchObject({ value: '0.25', unit: '' })
  })

  it('does not add grams and kilograms that a number without a unit keeps from being converted', () => {
    const mixed = rowsOf(['Part', 'Weight'], ['A', '500 g'], ['B', '2 kg'], ['C', '3'])
    expect(run({ operation: 'sum', columns: ['Weight'] }, mixed)).toMatchObject({ kind: 'refused' })
  })

  it('says which rows hold no number', () => {
    const outcome = run({ operation: 'sum', columns: ['Stock'] })
    expect(outcome).toMatchObject({ value: '1240' })
    expect(outcome.kind === 'value' && names(outcome.skipped)).toEqual(['PX-7'])
  })

  it('finds the largest and the smallest, with their rows', () => {
    const most = run({ operation: 'max', columns: ['Price'] })
    expect(most).toMatchObject({ value: '226', unit: '€' })
    expect(most.kind === 'value' && names(most.rows)).toEqual(['PX-7'])
    expect(run({ operation: 'min', columns: ['Since'] })).toMatchObject({ value: '2019-01-15' })
  })

  it('rounds a quotient to 15 digits and says so', () => {
    expect(run({ operation: 'mean', columns: ['Price'] })).toMatchObject({
      value: '80.8666666666667',
      exact: false,
    })
    const where = [{ column: 'Part', is: 'contains', value: 'MF' }] as const
    expect(run({ operation: 'mean', columns: ['Price'], where })).toMatchObject({ value: '8.3', exact: true })
  })

  it('subtracts and divides two cells: rows of one column, or columns of one row', () => {
    const where = [{ column: 'Supplier', is: 'equal', value: 'osterby cables' }] as const
    expect(run({ operation: 'difference', columns: ['Price'], where })).toMatchObject({
      value: '12.4',
      unit: '€',
    })
    expect(run({ operation: 'difference', columns: ['Since'], where })).toMatchObject({
      value: '837',
      unit: 'days',
    })
    const years = rowsOf(['', '2022', '2023'], ['Revenue', '1,000', '1,250'], ['Costs', '(300)', '(200)'])
    const revenue = [{ column: '2022', is: 'equal', value: '1000' }] as const
    expect(run({ operation: 'ratio', columns: ['2023', '2022'], where: revenue }, years)).toMatchObject({
      value: '1.25',
      unit: '',
    })
    expect(run({ operation: 'difference', columns: ['2023', '2022'], limit: 1 }, years)).toMatchObject({
      value: '250',
    })
  })

  it('orders rows by value and cuts them', () => {
    const sort = { column: 'Price', order: 'descending' } as const
    const outcome = run({ operation: 'rows', sort, limit: 2 })
    expect(outcome.kind === 'rows' && names(outcome.rows)).toEqual(['PX-7', 'MF-204'])
  })

  it('compares by value and not by letters', () => {
    const where = [{ column: 'Stock', is: 'at_least', value: '1000' }] as const
    const outcome = run({ operation: 'rows', where })
    expect(outcome.kind === 'rows' && names(outcome.rows)).toEqual(['MF-204'])
  })

  it('takes the unit from the name of the column', () => {
    const rows = rowsOf(['Year', 'Revenue ($ millions)'], ['2022', '1,000'], ['2023', '1,250'])
    expect(run({ operation: 'sum', columns: ['revenue'] }, rows)).toMatchObject({
      value: '2250',
      unit: '$ millions',
    })
  })

  it('leaves out a total row, whether it adds up or not', () => {
    const rows = ['Show 1', 'Show 2', 'Total Revenue:'].map((text, i) => ({
      cells: [
        { header: 'Show', text },
        { header: 'Revenue', text: ['$3,000', '$3,600', '$12,500'][i] ?? '' },
      ],
    }))
    expect(compute(rows, { operation: 'sum', columns: ['Revenue'] }, 'en')).toMatchObject({
      value: '6600',
      totals: [rows[2]],
    })
  })

  it('does not count totals twice, and tells a company from a total', () => {
    const rows = rowsOf(
      ['Item', 'Cost'],
      ['Total SE', '5'],
      ['Paper', '7'],
      ['Ink', '3'],
      ['Total for supplies', '15'],
      ['Total', '15'],
    )
    const outcome = run({ operation: 'sum', columns: ['Cost'] }, rows)
    expect(outcome).toMatchObject({ value: '15' })
    expect(outcome.kind === 'value' && names(outcome.totals)).toEqual(['Total for supplies', 'Total'])
    const only = [{ column: 'Item', is: 'equal', value: 'total' }] as const
    expect(run({ operation: 'max', columns: ['Cost'], where: only }, rows)).toMatchObject({ value: '15' })
  })

  it.each<[string, Partial<Computation> & Pick<Computation, 'operation'>, Row[]?]>([
    ['"Colour" matches no column, or several', { operation: 'sum', columns: ['Colour'] }],
    ['"p" matches no column, or several', { operation: 'sum', columns: ['p'] }],
    ['No row has a clear number', { operation: 'sum', columns: ['Part'] }],
    ['needs 1 columns', { operation: 'sum', columns: ['Price', 'Stock'] }],
    ['needs two cells', { operation: 'difference', columns: ['Price'] }],
    ['not defined', { operation: 'difference', columns: ['Price', 'Since'], limit: 1 }],
    ['mixes € and $', { operation: 'sum', columns: ['x'] }, rowsOf(['x'], ['€5'], ['$5'])],
    ['They have min, max'.toLowerCase(), { operation: 'mean', columns: ['Since'] }],
    ['divided', { operation: 'ratio', columns: ['a', 'b'] }, rowsOf(['a', 'b'], ['1', '0'])],
    [
      'No row has',
      { operation: 'min', columns: ['Stock'], where: [{ column: 'Part', is: 'equal', value: 'PX-7' }] },
    ],
  ])('refuses with %j', (reason, computation, rows = parts) => {
    const outcome = run(computation, rows)
    expect(outcome.kind === 'refused' ? outcome.reason : outcome).toContain(reason)
  })
})

describe('laws', () => {
  const cents = fc.integer({ min: -1e9, max: 1e9 })
  const table = fc.array(fc.tuple(cents, fc.constantFrom('a', 'b', 'c')), { minLength: 1, maxLength: 30 })
  const money = (amount: number): string =>
    (amount / 100).toLocaleString('en', { minimumFractionDigits: 2, style: 'currency', currency: 'EUR' })
  const rows = (lines: [number, string][]): Row[] =>
    rowsOf(['Name', 'Amount'], ...lines.map(([amount, name]) => [name, money(amount)]))
  const value = (
    lines: [number, string][],
    computation: Partial<Computation> & Pick<Computation, 'operation'>,
  ): number => {
    const outcome = compute(rows(lines), { columns: ['Amount'], ...computation }, 'en')
    return outcome.kind === 'value' ? Number(outcome.value) : 0
  }
  const only = (name: string) => ({ where: [{ column: 'Name', is: 'equal' as const, value: name }] })

  it('the sums of the parts are the sum, to the cent', () => {
    fc.assert(
      fc.property(table, (lines) => {
        const whole = lines.reduce((sum, [amount]) => sum + amount, 0)
        expect(Math.round(value(lines, { operation: 'sum' }) * 100)).toBe(whole)
        const byName = ['a', 'b', 'c'].map((name) =>
          Math.round(value(lines, { operation: 'sum', ...only(name) }) * 100),
        )
        expect(byName.reduce((sum, part) => sum + part, 0)).toBe(whole)
      }),
    )
  })

  it('min ≤ mean ≤ max, and the rows below and from a bound on are all', () => {
    fc.assert(
      fc.property(table, cents, (lines, bound) => {
        const [least, mean, most] = (['min', 'mean', 'max'] as const).map((operation) =>
          value(lines, { operation }),
        ) as [number, number, number]
        expect(least - 1e-9).toBeLessThanOrEqual(mean)
        expect(mean).toBeLessThanOrEqual(most + 1e-9)
        const at = (is: 'less' | 'at_least'): number =>
          value(lines, { operation: 'count', where: [{ column: 'Amount', is, value: String(bound / 100) }] })
        expect(at('less') + at('at_least')).toBe(lines.length)
      }),
    )
  })

  it('sorting loses no row', () => {
    fc.assert(
      fc.property(table, (lines) => {
        const all = rows(lines)
        const outcome = compute(
          all,
          { operation: 'rows', columns: [], sort: { column: 'Amount', order: 'ascending' } },
          'en',
        )
        expect(outcome.kind === 'rows' && new Set(outcome.rows)).toEqual(new Set(all))
      }),
    )
  })
})
