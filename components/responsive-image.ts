/** An image stored in several widths, as `/uploads/{token}-{w}.avif` and `.webp`. */
export interface ImageVariants {
  token: string
  width: number
  height: number
  widths: number[]
  /** Its colours as a CSS gradient; images of release 0.1.0 have a `data:` URL. */
  placeholder: string
}

/** The candidates of a `srcset` in one format. */
export function pictureSrcset(picture: ImageVariants, format: 'avif' | 'webp'): string {
  return picture.widths.map((width) => `/uploads/${picture.token}-${width}.${format} ${width}w`).join(', ')
}

/** The CSS background that is shown until the image is loaded. */
export function pictureBackground({ placeholder }: ImageVariants): string {
  return placeholder.startsWith('data:') ? `url(${placeholder}) center / cover no-repeat` : placeholder
}
