import { useState } from 'react'
import { ImagesIcon } from '#components/icons.tsx'
import { Picture } from '#components/picture.tsx'
import type { ProductDetailJson } from '#features/catalog/types.ts'
import { EarTag } from '#features/catalog/ui/ear-tag.tsx'
import { GALLERY_SIZES } from '#features/catalog/ui/picture-sizes.ts'
import { smallUrl, ThumbnailStrip } from '#features/catalog/ui/thumbnail-strip.tsx'
import { type MediaItem, mediaOf } from '#features/catalog/ui/video.ts'
import { VideoFrame } from '#features/catalog/ui/video-frame.tsx'
import { useI18n } from '#page/page-context.tsx'

/** A product's pictures and videos: one large, the others as thumbnails. */
export function Gallery({ product }: { product: ProductDetailJson }) {
  const { t } = useI18n()
  const [current, setCurrent] = useState(0)
  const items = mediaOf(product)
  const item = items[current] ?? items[0]
  return (
    <section aria-label={t('product.gallery')}>
      <div className="relative aspect-4/3 overflow-hidden bg-sand lg:rounded-card">
        <Large item={item} index={current} of={items.length} product={product} />
        {product.tag_number ? <EarTag number={product.tag_number} className="absolute start-4 top-4 text-2xl shadow-soft" /> : null}
        {product.pictures[current]?.isIllustration ? (
          <span className="absolute end-2 bottom-2 rounded-tag bg-ink/70 px-2 py-0.5 text-xs text-white">{t('catalog.illustration')}</span>
        ) : null}
      </div>
      {items.length > 1 ? (
        <div className="mt-2 px-2 lg:px-0">
          <ThumbnailStrip
            items={items}
            current={current}
            onChoose={setCurrent}
            thumbOf={(one) => (one.kind === 'image' ? smallUrl(one.url) : product.image && smallUrl(product.image))}
          />
        </div>
      ) : null}
    </section>
  )
}

function Large({ item, index, of, product }: { item: MediaItem | undefined; index: number; of: number; product: ProductDetailJson }) {
  const { t } = useI18n()
  if (!item)
    return (
      <span className="grid h-full place-items-center text-stone">
        <span className="text-center">
          <ImagesIcon size={48} className="mx-auto" />
          {t('product.no-picture')}
        </span>
      </span>
    )
  if (item.kind === 'video') return <VideoFrame key={item.url} url={item.url} name={product.product_type} poster={product.image} />
  const picture = product.pictures[index]
  const alt = of > 1 ? `${product.product_type}. ${t('catalog.media-photo', { number: index + 1, of })}` : product.product_type
  return picture ? (
    <Picture key={picture.token} picture={picture} alt={alt} sizes={GALLERY_SIZES} first />
  ) : (
    <img src={item.url} alt={alt} className="h-full w-full object-cover" />
  )
}
