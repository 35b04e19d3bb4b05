import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { CloseIcon, LeftIcon, RightIcon } from '#components/icons.tsx'
import { useI18n } from '#page/page-context.tsx'
import type { ProductJson } from '../types.ts'
import { EarTag } from './ear-tag.tsx'
import { smallUrl, ThumbnailStrip } from './thumbnail-strip.tsx'
import { mediaOf } from './video.ts'
import { VideoFrame } from './video-frame.tsx'

/** Photos and videos of a product in a full-screen dialog. Its code is loaded when it first opens. */
export function MediaModal({
  product,
  onClose,
}: {
  product: Pick<ProductJson, 'product_type' | 'tag_number' | 'images' | 'media' | 'image'>
  onClose: () => void
}) {
  const { t } = useI18n()
  const dialog = useRef<HTMLDialogElement>(null)
  const [current, setCurrent] = useState(0)
  const items = mediaOf(product)
  const item = items[current]
  useEffect(() => {
    dialog.current?.showModal()
  }, [])
  const step = (by: number) => setCurrent((now) => (now + by + items.length) % items.length)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowLeft') step(-1)
    if (event.key === 'ArrowRight') step(1)
  }
  const round = 'grid size-12 shrink-0 place-items-center rounded-pill bg-ink/60 text-white hover:bg-ink'
  return (
    <dialog
      ref={dialog}
      aria-label={t('catalog.see-media', { name: product.product_type })}
      className="h-dvh max-h-none w-dvw max-w-none bg-ink p-0 text-white"
      onClose={onClose}
      onKeyDown={onKeyDown}
    >
      <div className="flex h-full flex-col">
        <div className="flex items-center gap-3 px-4 py-2">
          {product.tag_number ? <EarTag number={product.tag_number} /> : null}
          <p className="grow truncate font-semibold">{product.product_type}</p>
          <button type="button" autoFocus aria-label={t('shell.close')} className={round} onClick={() => dialog.current?.close()}>
            <CloseIcon />
          </button>
        </div>
        <div className="relative min-h-0 grow">
          {item?.kind === 'image' ? (
            <img
              key={item.url}
              src={item.url}
              alt={t('catalog.media-photo', { number: current + 1, of: items.length })}
              className="rise h-full w-full object-contain"
            />
          ) : null}
          {item?.kind === 'video' ? <VideoFrame key={item.url} url={item.url} name={product.product_type} poster={product.image} /> : null}
          {items.length > 1 ? (
            <>
              <button
                type="button"
                aria-label={t('catalog.media-previous')}
                className={`${round} absolute start-3 top-1/2 -translate-y-1/2`}
                onClick={() => step(-1)}
              >
                <LeftIcon />
              </button>
              <button
                type="button"
                aria-label={t('catalog.media-next')}
                className={`${round} absolute end-3 top-1/2 -translate-y-1/2`}
                onClick={() => step(1)}
              >
                <RightIcon />
              </button>
            </>
          ) : null}
        </div>
        <div className="mx-auto w-full max-w-3xl px-2 py-2">
          <ThumbnailStrip
            items={items}
            current={current}
            onChoose={setCurrent}
            thumbOf={(one) => (one.kind === 'image' ? smallUrl(one.url) : product.image && smallUrl(product.image))}
            dark
          />
        </div>
      </div>
    </dialog>
  )
}
