// Whether the list of conversations beside the answers is folded. This browser remembers it.

const KEY = 'kenning.conversations'

export const areThreadsFolded = (): boolean => localStorage.getItem(KEY) === 'folded'

export function storeThreadsFolded(isFolded: boolean): void {
  if (isFolded) localStorage.setItem(KEY, 'folded')
  else localStorage.removeItem(KEY)
}
