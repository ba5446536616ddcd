// Saves files from the API to disk, or opens them in a window if a browser can show them safely.

/** The name that the service sends. */
const nameOf = (response: Response): string | undefined => {
  const name = /filename\*=UTF-8''([^;]+)/.exec(response.headers.get('content-disposition') ?? '')?.[1]
  return name && decodeURIComponent(name)
}

export async function saveFile(response: Response, fallback: string): Promise<void> {
  const url = URL.createObjectURL(await response.blob())
  const link = document.createElement('a')
  link.href = url
  link.download = nameOf(response) ?? fallback
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

type SavePicker = (options: { suggestedName: string }) => Promise<FileSystemFileHandle>

/**
 * Writes directly to disk if the browser can do that. Other browsers hold the whole file in memory first.
 * @returns false when no file was chosen
 */
export async function saveLarge(ask: () => Promise<Response>, name: string): Promise<boolean> {
  const { showSaveFilePicker: pick } = globalThis as { showSaveFilePicker?: SavePicker }
  if (!pick) {
    await saveFile(await ask(), name)
    return true
  }
  const file = await pick({ suggestedName: name.replace(/[\\/:*?"<>|]/g, ' ') }).catch((error: Error) => {
    if (error.name === 'AbortError') return undefined
    throw error
  })
  if (!file) return false
  const { body } = await ask()
  await body?.pipeTo(await file.createWritable())
  return true
}

// Only types that cannot run a script, because the address of the window is the console's own.
const SHOWN: Record<string, string> = {
  pdf: 'application/pdf',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  txt: 'text/plain;charset=utf-8',
  md: 'text/plain;charset=utf-8',
  csv: 'text/plain;charset=utf-8',
  json: 'text/plain;charset=utf-8',
}

const shownAs = (filename: string): string | undefined =>
  SHOWN[filename.slice(filename.lastIndexOf('.') + 1).toLowerCase()]

/** Whether `openFile` shows a file of this name instead of saving it. */
export const canBeShown = (filename: string): boolean => shownAs(filename) !== undefined

/** Opens the file in a new tab. Saves it if the browser would have to run it, or opens no tab. */
export async function openFile(response: Response, filename: string): Promise<void> {
  const type = shownAs(filename)
  if (type === undefined) return saveFile(response, filename)
  const url = URL.createObjectURL(new Blob([await response.arrayBuffer()], { type }))
  const link = document.createElement('a')
  link.href = url
  link.target = '_blank'
  link.rel = 'noopener'
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 600_000)
}
