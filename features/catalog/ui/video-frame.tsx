import { useState } from 'react'
import { PlayIcon } from '#components/icons.tsx'
import { useI18n } from '#page/page-context.tsx'
import { videoOf } from './video.ts'

/** A video. One of another site is loaded after a press only. */
export function VideoFrame({ url, name, poster }: { url: string; name: string; poster: string | null }) {
  const { t } = useI18n()
  const [playing, setPlaying] = useState(false)
  const video = videoOf(url)
  if (!video) return null
  if (video.kind === 'file')
    return (
      <video
        src={video.src}
        poster={poster ?? undefined}
        controls
        preload="none"
        playsInline
        className="h-full w-full bg-ink object-contain"
      />
    )
  if (playing)
    return (
      <iframe
        src={video.embed}
        title={`${t('catalog.media-video')}: ${name}`}
        allow="autoplay; fullscreen; picture-in-picture"
        allowFullScreen
        className="h-full w-full border-0 bg-ink"
      />
    )
  return (
    <button
      type="button"
      aria-label={`${t('catalog.play')}: ${name}`}
      className="group relative block h-full w-full bg-ink"
      onClick={() => setPlaying(true)}
    >
      {poster ? <img src={poster} alt="" className="h-full w-full object-cover opacity-70" /> : null}
      <span className="absolute inset-0 grid place-items-center">
        <span className="grid size-18 place-items-center rounded-pill bg-tag text-ink shadow-soft group-hover:bg-white">
          <PlayIcon size={34} />
        </span>
      </span>
      <span className="absolute inset-x-3 bottom-2 text-sm text-white">{t('catalog.video-note')}</span>
    </button>
  )
}
