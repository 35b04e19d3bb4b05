import type { Picture } from '#lib/files/picture.ts'

/** A stored picture as pages show it. */
export type ImageVariants = Omit<Picture, 'isIllustration'>

/** The candidates of a `srcset` in one format. */
export function pictureSrcset(picture: ImageVariants, format: 'avif' | 'webp'): string {
  return picture.widths.map((width) => `/uploads/${picture.token}-${width}.${format} ${width}w`).join(', ')
}

/** The CSS background that is shown until the image is loaded. */
export function pictureBackground({ placeholder }: ImageVariants): string {
  return placeholder.startsWith('data:') ? `url(${placeholder}) center / cover no-repeat` : placeholder
}
