import { useEffect, useRef } from 'react'
import { LeftIcon, PlayIcon, RightIcon } from '#components/icons.tsx'
import { useI18n } from '#page/page-context.tsx'
import type { MediaItem } from './video.ts'

const STEP_PX = 300

interface StripProps {
  items: MediaItem[]
  current: number
  onChoose: (index: number) => void
  /** The URL of a small file for an item; null without one. */
  thumbOf: (item: MediaItem) => string | null
  dark?: boolean
}

/** Thumbnails in a row that scrolls in steps of 300 px. */
export function ThumbnailStrip({ items, current, onChoose, thumbOf, dark = false }: StripProps) {
  const { t } = useI18n()
  const strip = useRef<HTMLUListElement>(null)
  const scrolledTo = useRef(current)
  useEffect(() => {
    // Not at the first render: measuring would force a layout during hydration.
    if (scrolledTo.current === current) return
    scrolledTo.current = current
    const chosen = strip.current?.children[current] as HTMLElement | undefined
    if (chosen && strip.current)
      strip.current.scrollTo({ left: chosen.offsetLeft - strip.current.clientWidth / 2 + chosen.clientWidth / 2, behavior: 'smooth' })
  }, [current])
  const move = (by: number) => strip.current?.scrollBy({ left: by, behavior: 'smooth' })
  const arrow = `needs-script grid size-11 shrink-0 place-items-center rounded-pill ${dark ? 'text-white hover:bg-white/15' : 'hover:bg-leaf-100'}`
  return (
    <div className="flex items-center gap-1">
      <button type="button" className={arrow} aria-label={t('catalog.media-back')} onClick={() => move(-STEP_PX)}>
        <LeftIcon />
      </button>
      <ul ref={strip} className="relative flex min-w-0 grow gap-2 overflow-x-auto overscroll-x-contain px-1 py-1.5 [scrollbar-width:thin]">
        {items.map((item, index) => {
          const thumb = thumbOf(item)
          const label = item.kind === 'video' ? t('catalog.media-video') : t('catalog.media-photo', { number: index + 1, of: items.length })
          return (
            <li key={`${index} ${item.url}`} className="relative shrink-0">
              <button
                type="button"
                aria-current={index === current ? 'true' : undefined}
                aria-label={label}
                className="relative block h-14 w-19 overflow-hidden rounded-tag bg-sand ring-2 ring-transparent aria-[current]:ring-tag aria-[current]:ring-offset-1"
                onClick={() => onChoose(index)}
              >
                {thumb ? (
                  <img src={thumb} alt="" width={76} height={56} loading="lazy" decoding="async" className="h-full w-full object-cover" />
                ) : null}
                {item.kind === 'video' ? (
                  <span className="absolute inset-0 grid place-items-center bg-ink/45 text-white">
                    <PlayIcon size={20} />
                  </span>
                ) : null}
              </button>
              <a href={item.url} aria-label={label} className="without-script absolute inset-0" />
            </li>
          )
        })}
      </ul>
      <button type="button" className={arrow} aria-label={t('catalog.media-on')} onClick={() => move(STEP_PX)}>
        <RightIcon />
      </button>
    </div>
  )
}

/** The smallest file of a stored picture: `/uploads/token-800.webp` has a file of width 160 too. */
export function smallUrl(url: string): string {
  return url.replace(/^(\/uploads\/[a-z0-9]+)-\d+\.webp$/, '$1-160.webp')
}
