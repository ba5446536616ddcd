// Reads the shapes of a slide in reading order.

import { child, elements, isTrue, textOf, type XmlElement } from '../../shared/containers/xml.ts'
import type { Place } from '../../shared/office/shape-order.ts'
import { inOrder } from '../../shared/office/shape-order.ts'

export interface Shape {
  element: XmlElement
  /** p:sp, p:pic or p:graphicFrame. */
  kind: string
  /** The type of a placeholder, 'body' by default. Undefined for other shapes. */
  placeholder?: string
  place?: Place
  /** Whether the shape is in a group, which has units of its own. */
  isGrouped?: boolean
}

interface Group {
  members: Item[]
  place?: Place
}

type Item = Shape | Group

/** The placeholders of a layout or master, from which the placeholders of a slide inherit position and style. */
export type ParentPlaceholders = readonly XmlElement[]

/**
 * The shapes of a slide: the title first, then the others by position. A shape without a position follows the shape before it in
 * the file.
 */
export function shapesInOrder(
  slide: XmlElement | undefined,
  inherited: readonly ParentPlaceholders[],
): Shape[] {
  const tree = child(slide, 'p:cSld', 'p:spTree')
  const shapes = orderItems(itemsOf(tree, inherited))
  const isTitle = (shape: Shape): boolean => /^(title|ctrTitle)$/.test(shape.placeholder ?? '')
  return [...shapes.filter(isTitle), ...shapes.filter((shape) => !isTitle(shape))]
}

/** The placeholder shapes of a layout or master part. */
export function placeholdersOf(part: XmlElement | undefined): XmlElement[] {
  return elements(child(part, 'p:cSld', 'p:spTree'), 'p:sp').filter(
    (shape) => placeholder(shape) !== undefined,
  )
}

/** The <p:ph> element of any kind of shape. */
export function placeholder(shape: XmlElement): XmlElement | undefined {
  const properties = elements(shape).find(({ name }) => /^p:nv\w+Pr$/.test(name))
  return child(properties, 'p:nvPr', 'p:ph')
}

/** The shape from which a placeholder inherits: the shape with the same number, otherwise with the same type. */
export function inheritedShape(
  placeholderElement: XmlElement,
  from: ParentPlaceholders,
): XmlElement | undefined {
  const { idx, type = 'body' } = placeholderElement.attributes
  const candidates = from.map((shape) => ({
    shape,
    placeholderAttributes: placeholder(shape)?.attributes ?? {},
  }))
  const baseType = (type: string | undefined): string => (type ?? 'body').replace('ctrTitle', 'title')
  return (
    (idx === undefined
      ? undefined
      : candidates.find(({ placeholderAttributes }) => placeholderAttributes.idx === idx)) ??
    candidates.find(({ placeholderAttributes }) => baseType(placeholderAttributes.type) === baseType(type))
  )?.shape
}

function itemsOf(tree: XmlElement | undefined, inherited: readonly ParentPlaceholders[]): Item[] {
  return elements(tree).flatMap((element): Item[] => {
    switch (element.name) {
      case 'p:grpSp':
        return isHidden(element) ? [] : [toGroup(element, inherited)]
      case 'p:sp':
      case 'p:pic':
      case 'p:graphicFrame':
        return isHidden(element) || isBackground(element) ? [] : [readShape(element, inherited)]
      case 'mc:AlternateContent': {
        const choiceItems = elements(element, 'mc:Choice').flatMap((choice) => itemsOf(choice, inherited))
        return choiceItems.length > 0 ? choiceItems : itemsOf(child(element, 'mc:Fallback'), inherited)
      }
      default:
        return []
    }
  })
}

function isHidden(shape: XmlElement): boolean {
  const properties = elements(shape).find(({ name }) => /^p:nv\w+Pr$/.test(name))
  const hidden = child(properties, 'p:cNvPr')?.attributes.hidden
  return isTrue(hidden)
}

/** Whether a shape has neither text nor a description. It must not influence the reading order. */
function isBackground(shape: XmlElement): boolean {
  if (shape.name !== 'p:sp' || placeholder(shape) !== undefined) return false
  const description = child(shape, 'p:nvSpPr', 'p:cNvPr')?.attributes.descr ?? ''
  return description === '' && textOf(child(shape, 'p:txBody')).trim() === ''
}

function toGroup(element: XmlElement, inherited: readonly ParentPlaceholders[]): Group {
  const place = placeOf(child(element, 'p:grpSpPr', 'a:xfrm'))
  const members = itemsOf(element, inherited).map((item) =>
    'members' in item ? item : { ...item, isGrouped: true },
  )
  return { members, ...(place === undefined ? {} : { place }) }
}

function readShape(element: XmlElement, inherited: readonly ParentPlaceholders[]): Shape {
  const placeholderElement = placeholder(element)
  const ownTransform = child(element, 'p:spPr', 'a:xfrm') ?? child(element, 'p:xfrm')
  const ancestors =
    placeholderElement === undefined ? [] : inherited.map((from) => inheritedShape(placeholderElement, from))
  const place =
    placeOf(ownTransform) ??
    ancestors.map((ancestor) => placeOf(child(ancestor, 'p:spPr', 'a:xfrm'))).find((candidate) => candidate)
  return {
    element,
    kind: element.name,
    ...(placeholderElement === undefined
      ? {}
      : { placeholder: placeholderElement.attributes.type ?? 'body' }),
    ...(place === undefined ? {} : { place }),
  }
}

function placeOf(transform: XmlElement | undefined): Place | undefined {
  const offset = child(transform, 'a:off')?.attributes
  const size = child(transform, 'a:ext')?.attributes
  if (offset === undefined) return undefined
  const place = {
    x: Number(offset.x ?? 0),
    y: Number(offset.y ?? 0),
    width: Number(size?.cx ?? 0),
    height: Number(size?.cy ?? 0),
  }
  return Object.values(place).every(Number.isFinite) ? place : undefined
}

/** The shapes in reading order. The shapes of a group stay together. */
const orderItems = (items: readonly Item[]): Shape[] =>
  inOrder(items.map((item) => ({ item, ...(item.place && { place: item.place }) }))).flatMap((item) =>
    'members' in item ? orderItems(item.members) : [item],
  )
