// A server that recognises text as docs/text-recognition.md says, with Tesseract behind it, on a loopback port. What it does next
// can be scripted.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { openTesseract } from '../../src/reader/shared/ocr/tesseract.ts'
import { closeNow, listenOnLoopback, wholeBody } from './loopback.ts'

export interface RecognisingServer {
  url: string
  requests: { authorization: string | undefined; languages: string[]; bytes: number }[]
  /** What it answers the next requests, one each, before it is itself again. */
  next: { status?: number; body?: unknown }[]
  /** Leaves words out, as servers do that give lines alone. */
  linesOnly: boolean
  close(): Promise<void>
}

export async function recognisingServer(): Promise<RecognisingServer> {
  const tesseract = openTesseract()
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const requestBody = await wholeBody(request)
    if (requestBody === undefined) return
    const { image, languages } = JSON.parse(requestBody) as { image: string; languages: string[] }
    const png = Buffer.from(image, 'base64')
    state.requests.push({ authorization: request.headers.authorization, languages, bytes: png.length })
    const script = state.next.shift()
    const body = script?.body ?? (script?.status ? {} : { lines: await recognised(png, languages) })
    response.writeHead(script?.status ?? 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(body))
  }
  const recognised = async (png: Buffer, [language = 'eng']: string[]): Promise<object[]> => {
    const { lines } = await tesseract.recognise(png, { language, imageKind: 'page' })
    return lines.map(({ words, bbox }) => ({
      text: words.map(({ text }) => text).join(' '),
      ...toBox(bbox),
      ...(state.linesOnly
        ? {}
        : {
            words: words.map(({ text, confidence, bbox }) => ({
              text,
              confidence: confidence / 100,
              ...toBox(bbox),
            })),
          }),
    }))
  }
  const server = createServer((request, response) => void answer(request, response))
  const state: RecognisingServer = {
    url: '',
    requests: [],
    next: [],
    linesOnly: false,
    close: async () => {
      await closeNow(server)
      await tesseract.close()
    },
  }
  state.url = `${await listenOnLoopback(server)}/recognise`
  return state
}

const toBox = ({ x0, y0, x1, y1 }: { x0: number; y0: number; x1: number; y1: number }) => ({
  box: [x0, y0, x1, y1],
})
