// The theme: light, dark, or that of the system. The choice is kept in local storage.

const KEY = 'kenning.theme'

export function applyTheme(): void {
  const storedTheme = localStorage.getItem(KEY)
  if (storedTheme) document.documentElement.dataset.theme = storedTheme
}

export function switchTheme(): void {
  const theme = document.documentElement.dataset.theme
  const isDark = theme ? theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches
  const next = isDark ? 'light' : 'dark'
  localStorage.setItem(KEY, next)
  document.documentElement.dataset.theme = next
}
