import { type ImageVariants, pictureBackground, pictureSrcset } from './responsive-image.ts'

interface PictureProps {
  picture: ImageVariants
  alt: string
  /** How wide it is shown, for the choice among the widths. */
  sizes: string
  /** Seen at once: loads first and is not waited for lazily. */
  first?: boolean
  /** One of many: browsers without AVIF get one middling file instead of a choice. */
  light?: boolean
  className?: string
}

/** AVIF or WebP in the fitting width over a placeholder. Its size is reserved, so the layout does not shift. */
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
