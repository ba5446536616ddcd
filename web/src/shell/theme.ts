// Light, dark, or the system's theme. Only this and the sizes of panels are kept in local storage.

const KEY = 'kenning.theme'

export function applyTheme(): void {
  const storedTheme = localStorage.getItem(KEY)
  if (storedTheme) document.documentElement.dataset.theme = storedTheme
}

export function switchTheme(): void {
  const now = document.documentElement.dataset.theme
  const isDark = now ? now === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches
  const next = isDark ? 'light' : 'dark'
  localStorage.setItem(KEY, next)
  document.documentElement.dataset.theme = next
}
