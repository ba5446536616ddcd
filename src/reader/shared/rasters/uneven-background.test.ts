// A notice photographed on a wall: the wall and a band of colour are darker than its paper.

import { expect, test } from 'vitest'
import { parseBytes } from '../../../../test/support/files/parse.ts'
import { drawLine, type Grey, makeTiff } from '../../../../test/support/files/pictures.ts'
import { thorough } from '../../../../test/support/full.ts'
import { hasUnevenBackground } from './uneven-background.ts'

const WALL = 150
const BAND = 195
const PAPER = 250

/** The words on a ground of the given shade, put into the picture. */
async function write(into: Grey, text: string, ground: number, [left, top]: [number, number]): Promise<void> {
  const line = await drawLine(text, 150)
  for (let y = 0; y < line.height; y++)
    for (let x = 0; x < line.width && left + x < into.width; x++) {
      const ink = 255 - (line.pixels[y * line.width + x] ?? 255)
      into.pixels[(top + y) * into.width + left + x] = Math.round((ground * (255 - ink)) / 255)
    }
}

async function photo(): Promise<Grey> {
  const [width, height] = [1000, 1200]
  const picture = { width, height, pixels: new Uint8Array(width * height).fill(WALL) }
  for (let y = 150; y < 1050; y++)
    picture.pixels.fill(y < 350 ? BAND : PAPER, y * width + 150, y * width + 850)
  await write(picture, 'Battery store', BAND, [250, 220])
  await write(picture, 'Keep forty at most', PAPER, [200, 450])
  await write(picture, 'Never work alone', PAPER, [200, 600])
  return picture
}

/** By 0.04 about its middle, as it is held. */
function askew({ width, height, pixels }: Grey): Grey {
  const [sin, cos] = [Math.sin(0.04), Math.cos(0.04)]
  const turned = Uint8Array.from(pixels, (_, at) => {
    const [x, y] = [(at % width) - width / 2, Math.floor(at / width) - height / 2]
    const [fromX, fromY] = [
      Math.round(cos * x + sin * y + width / 2),
      Math.round(cos * y - sin * x + height / 2),
    ]
    const isOut = fromX < 0 || fromY < 0 || fromX >= width || fromY >= height
    return isOut ? WALL : (pixels[fromY * width + fromX] ?? WALL)
  })
  return { width, height, pixels: turned }
}

thorough('letters on a band of colour are read beside those on white', async () => {
  const picture = askew(await photo())
  expect(hasUnevenBackground({ ...picture, data: picture.pixels })).toBe(true)
  const { blocks } = await parseBytes('image', makeTiff([picture]))
  expect(blocks.map(({ text }) => text)).toEqual(['Battery store', 'Keep forty at most Never work alone'])
})

test('prose on white is even, a page of one shade too', () => {
  const [width, height] = [400, 400]
  const prose = Uint8Array.from({ length: width * height }, (_, at) => (at % 7 === 0 ? 20 : 250))
  expect(hasUnevenBackground({ width, height, data: prose })).toBe(false)
  expect(hasUnevenBackground({ width, height, data: new Uint8Array(width * height).fill(255) })).toBe(false)
})
