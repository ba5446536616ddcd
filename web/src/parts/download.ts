// Saves files from the API to disk, or opens them in a window if a browser can show them safely.

/** The file name that the service sends. */
const nameOf = (response: Response): string | undefined => {
  const name = /filename\*=UTF-8''([^;]+)/.exec(response.headers.get('content-disposition') ?? '')?.[1]
  return name && decodeURIComponent(name)
}

/** Makes the browser save a file that was fetched with the token. @param fallback the name if the service sends none */
export const saveFile = async (response: Response, fallback: string): Promise<void> =>
  saveBlob(await response.blob(), nameOf(response) ?? fallback)

export function saveBlob(content: Blob, name: string): void {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The download has begun when the address is revoked.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

type SavePicker = (options: { suggestedName: string }) => Promise<FileSystemFileHandle>

/**
 * Writes a file directly to disk if the browser can do that. Other browsers first keep the whole file in memory.
 * @returns false when no file was chosen
 */
export async function saveLarge(fetchFile: () => Promise<Response>, name: string): Promise<boolean> {
  const { showSaveFilePicker: pick } = globalThis as { showSaveFilePicker?: SavePicker }
  if (!pick) {
    await saveFile(await fetchFile(), name)
    return true
  }
  const file = await pick({ suggestedName: name.replace(/[\\/:*?"<>|]/g, ' ') }).catch((error: Error) => {
    if (error.name === 'AbortError') return undefined
    throw error
  })
  if (!file) return false
  const { body } = await fetchFile()
  await body?.pipeTo(await file.createWritable())
  return true
}

// The types of files that are opened in a window. They cannot run a script, which would have the rights of the console.
const SAFE_TYPES: Record<string, string> = {
  pdf: 'application/pdf',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  txt: 'text/plain;charset=utf-8',
  md: 'text/plain;charset=utf-8',
  csv: 'text/plain;charset=utf-8',
  json: 'text/plain;charset=utf-8',
}

const safeTypeOf = (filename: string): string | undefined =>
  SAFE_TYPES[filename.slice(filename.lastIndexOf('.') + 1).toLowerCase()]

/** Whether `openFile` shows a file of this name instead of saving it. */
export const canBeShown = (filename: string): boolean => safeTypeOf(filename) !== undefined

/** Opens the file in a new tab, or saves it if its type could run a script. */
export async function openFile(response: Response, filename: string): Promise<void> {
  const type = safeTypeOf(filename)
  if (type === undefined) return saveFile(response, filename)
  const url = URL.createObjectURL(new Blob([await response.arrayBuffer()], { type }))
  const link = document.createElement('a')
  link.href = url
  link.target = '_blank'
  link.rel = 'noopener'
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 600_000)
}
