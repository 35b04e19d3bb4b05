import { type ImageVariants, pictureBackground, pictureSrcset } from './responsive-image.ts'

interface PictureProps {
  picture: ImageVariants
  alt: string
  /** The `sizes` attribute: the shown width, from which the browser chooses a file. */
  sizes: string
  /** Visible without scrolling: loads eagerly with high priority. */
  first?: boolean
  /** One of many: browsers without AVIF get one file of medium width instead of a `srcset`. */
  light?: boolean
  className?: string
}

/** AVIF or WebP in the best width over a placeholder. Width and height are reserved, so the layout does not shift. */
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
