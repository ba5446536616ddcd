// The allowed values in the address of the graph page.

/** The first is the default. */
export const VIEWS = ['themes', 'canvas', 'table', 'duplicates'] as const

/** Columns of the table. A minus reverses the order. */
export const SORTS = [
  'mentions',
  '-mentions',
  'name',
  '-name',
  'type',
  '-type',
  'relations',
  '-relations',
] as const
export type Sort = (typeof SORTS)[number]

/** How many entities the canvas draws. */
export const SIZES = [200, 1000, 5000] as const
export const USUAL_SIZE = 1000
/** The maximum of the service. */
export const MAX_NODES = 5000
