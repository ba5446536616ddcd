// A page of a document as a picture, with boxes drawn over what is cited.

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { pageImageQuery } from '../queries.ts'

/** Left, top, right, bottom in points, from the page's upper left. */
export type Box = readonly number[]

interface Props {
  workspace: string
  document: string
  page: number
  boxes?: readonly Box[]
  /** Width of the page in points; without it no boxes are drawn. */
  pageWidth?: number | undefined
}

export function PageImage({ workspace, document, page, boxes = [], pageWidth }: Props) {
  const { data: url, isPending } = useQuery(pageImageQuery(workspace, document, page))
  const [size, setSize] = useState<{ width: number; height: number }>()
  if (url === null) return null
  const points =
    size && pageWidth ? { width: pageWidth, height: (pageWidth * size.height) / size.width } : undefined
  return (
    <figure className="relative overflow-hidden rounded-lg border border-line bg-white">
      {url && (
        <img
          src={url}
          alt={`Page ${page}`}
          className="block w-full"
          onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
            setSize({ width: naturalWidth, height: naturalHeight })
          }
        />
      )}
      {isPending && (
        <div
          role="status"
          aria-label={`Page ${page} is being drawn`}
          className="aspect-[1/1.35] animate-pulse bg-line"
        />
      )}
      {points &&
        boxes.map((box) => {
          const [left = 0, top = 0, right = 0, bottom = 0] = box
          const percent = (share: number): string => `${share * 100}%`
          return (
            <div
              key={box.join()}
              aria-hidden
              className="absolute rounded-sm bg-[#f5c518]/30 ring-1 ring-[#b98500]/60"
              style={{
                left: percent(left / points.width),
                top: percent(top / points.height),
                width: percent((right - left) / points.width),
                height: percent((bottom - top) / points.height),
              }}
            />
          )
        })}
    </figure>
  )
}
