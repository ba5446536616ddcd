// The allowed values in the address of the graph page.

/** The first view is the default. */
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
export const DEFAULT_SIZE = 1000
/** The service returns no more nodes than this. */
export const MAX_NODES = 5000
