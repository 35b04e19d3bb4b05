/** A picture kept in several widths, as `/uploads/{token}-{w}.avif` and `.webp`. */
export interface KeptPicture {
  token: string
  width: number
  height: number
  widths: number[]
  /** Its colours as a CSS gradient; of pictures kept by the first version a `data:` address. */
  placeholder: string
}

interface PictureProps {
  picture: KeptPicture
  alt: string
  /** How wide it is shown, for the choice among the widths. */
  sizes: string
  /** Seen at once: loads first and is not waited for lazily. */
  first?: boolean
  /** One of many: browsers without AVIF get one middling file instead of a choice. */
  light?: boolean
  className?: string
}

/** The candidates of a `srcset` in one format. */
export function pictureSrcset(picture: KeptPicture, format: 'avif' | 'webp'): string {
  return picture.widths.map((width) => `/uploads/${picture.token}-${width}.${format} ${width}w`).join(', ')
}

/** What stands in the picture's place until it is there. */
export function pictureBackground({ placeholder }: KeptPicture): string {
  return placeholder.startsWith('data:') ? `url(${placeholder}) center / cover no-repeat` : placeholder
}

/** AVIF or WebP in the fitting width over its colours; its place is kept from the start. */
export function Picture({ picture, alt, sizes, first = false, light = false, className = '' }: PictureProps) {
  const fallback = picture.widths.find((width) => width >= 480) ?? picture.widths.at(-1)
  return (
    <picture className="contents">
      <source type="image/avif" srcSet={pictureSrcset(picture, 'avif')} sizes={sizes} />
      {light ? null : <source type="image/webp" srcSet={pictureSrcset(picture, 'webp')} sizes={sizes} />}
      <img
        src={`/uploads/${picture.token}-${fallback}.webp`}
        alt={alt}
        width={picture.width}
        height={picture.height}
        loading={first ? 'eager' : 'lazy'}
        fetchPriority={first ? 'high' : undefined}
        decoding="async"
        className={`h-full w-full object-cover ${className}`}
        style={{ background: pictureBackground(picture) }}
      />
    </picture>
  )
}
