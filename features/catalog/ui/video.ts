// Videos of products: files of the shop, or YouTube.

/** The kind of a video URL; null when the shop cannot show it. */
export function videoOf(url: string): { kind: 'file'; src: string } | { kind: 'youtube'; embed: string; still: string } | null {
  if (/^\/uploads\/[\w./-]+$/.test(url)) return { kind: 'file', src: url }
  const id =
    /^https:\/\/(?:www\.|m\.)?(?:youtube(?:-nocookie)?\.com\/(?:watch\?(?:[^#]*&)?v=|embed\/|shorts\/)|youtu\.be\/)([\w-]{11})(?:[?&#/].*)?$/.exec(
      url,
    )?.[1]
  if (!id) return null
  return {
    kind: 'youtube',
    embed: `https://www.youtube-nocookie.com/embed/${id}?autoplay=1&rel=0&playsinline=1`,
    still: `https://i.ytimg.com/vi/${id}/hqdefault.jpg`,
  }
}

/** A picture or a video of a product. */
export type MediaItem = { kind: 'image'; url: string } | { kind: 'video'; url: string }

/** Pictures, then playable videos of a product. */
export function mediaOf(product: { images: { url: string }[]; media: string[] }): MediaItem[] {
  return [
    ...product.images.map(({ url }) => ({ kind: 'image' as const, url })),
    ...product.media.filter((url) => videoOf(url) !== null).map((url) => ({ kind: 'video' as const, url })),
  ]
}
