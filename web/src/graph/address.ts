// What the address of the graph page may say.

/** The first is what an address without one means. */
export const VIEWS = ['themes', 'canvas', 'table', 'duplicates'] as const

/** Of the table; with a minus the other way round. */
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
/** What the service gives at most. */
export const MAX_NODES = 5000
