/** A stored picture. Its files are `/uploads/{token}-{w}.avif` and `.webp` for every w of widths. */
export interface Picture {
  token: string
  width: number
  height: number
  widths: number[]
  /** Shown while the file loads: its colours as a CSS gradient; pictures of release 0.1.0 have a `data:` URL. */
  placeholder: string
  isIllustration: boolean
}
