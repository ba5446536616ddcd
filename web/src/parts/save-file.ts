/** Makes the browser save a file that was fetched with the token. */
export function saveFile(content: Blob, name: string): void {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The download has begun when the address is revoked.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
