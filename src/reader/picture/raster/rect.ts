// A rectangle of a picture.

/** Pixels of the picture as it is read, turned by what its header says. */
export interface Part {
  left: number
  top: number
  width: number
  height: number
}
