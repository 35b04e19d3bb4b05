/** A stored picture. Its files are `/uploads/{token}-{w}.avif` and `.webp` for every w of widths. */
export interface Picture {
  token: string
  width: number
  height: number
  widths: number[]
  /** A data: URI or a CSS gradient shown while the file loads. */
  placeholder: string
  isIllustration: boolean
}
