import { useEffect, useRef, useState } from 'react'
import { Button } from '#components/button.tsx'
import { TextField } from '#components/field.tsx'
import type { UploadedImage } from '#features/catalog/media/images.server.ts'
import { videoOf } from '#features/catalog/ui/video.ts'
import { useI18n } from '#page/page-context.tsx'
import { MAX_PICTURES, MAX_VIDEO_LINK_LENGTH, MAX_VIDEOS } from '#features/catalog/limits.ts'
import { FormSection, useFormField } from '../ui/form.tsx'
import { FileButton, PictureDrop } from '../ui/picture-drop.tsx'
import { UploadList } from '../ui/upload-list.tsx'
import { useUploads } from '../ui/uploads.ts'
import { CloseIcon, PlayIcon } from '../ui/icons.tsx'

/** Pictures in their order, videos by link or file. */
export function MediaFields({ readOnly }: { readOnly: boolean }) {
  const { t } = useI18n()
  const { value, change } = useFormField('pictures')
  const { error } = useFormField('picture_ids')
  const videos = useFormField('videos').value as string[]
  if (readOnly && (value as UploadedImage[]).length + videos.length === 0) return null
  return (
    <FormSection title={t('products.media')}>
      <PictureDrop
        label={t('products.pictures')}
        hint={t('products.pictures-hint')}
        value={value as UploadedImage[]}
        onChange={change}
        max={MAX_PICTURES}
        error={error}
        marksFirst
        readOnly={readOnly}
      />
      <Videos readOnly={readOnly} />
    </FormSection>
  )
}

function Videos({ readOnly }: { readOnly: boolean }) {
  const { t } = useI18n()
  const { value, change, error } = useFormField('videos')
  const videos = value as string[]
  // An upload takes minutes: it is added to the list as it is then.
  const latest = useRef(videos)
  useEffect(() => void (latest.current = videos), [videos])
  const store = (next: string[]) => {
    latest.current = next
    change(next)
  }
  // Part of the form's values: saving sends it as the last video.
  const link = useFormField('video_link', `videos.${videos.length}`)
  const typed = String(link.value).trim()
  const [problem, setProblem] = useState<string | null>(null)
  const uploads = useUploads<{ url: string }>({ url: '/admin/uploads/videos', onDone: ({ url }) => add(url) })
  const add = (url: string) => store([...latest.current.filter((one) => one !== url), url])
  const addLink = () => {
    if (videoOf(typed) === null) return setProblem(t('products.video-bad'))
    add(typed)
    link.change('')
  }
  if (readOnly && videos.length === 0) return null
  return (
    <div className="grid gap-3">
      <p className="font-semibold">{t('products.videos')}</p>
      {videos.length > 0 ? (
        <ul className="grid gap-2">
          {videos.map((url, index) => (
            <Video
              key={url}
              url={url}
              index={index}
              {...(readOnly ? {} : { onRemove: () => store(latest.current.filter((one) => one !== url)) })}
            />
          ))}
        </ul>
      ) : null}
      <UploadList sending={uploads.sending} onAgain={uploads.again} onDismiss={uploads.dismiss} />
      {readOnly || (videos.length >= MAX_VIDEOS && typed === '' && !error) ? null : (
        <div className="flex flex-wrap items-start gap-2">
          <div className="grow basis-60">
            <TextField
              label={t('products.video-link')}
              hint={t('products.videos-hint')}
              value={String(link.value)}
              error={problem ?? link.error ?? error}
              type="url"
              inputMode="url"
              autoComplete="off"
              maxLength={MAX_VIDEO_LINK_LENGTH}
              onChange={(event) => {
                link.change(event.target.value)
                setProblem(null)
              }}
              onKeyDown={(event) => {
                if (event.key !== 'Enter') return
                event.preventDefault()
                addLink()
              }}
            />
          </div>
          <span className="field-level flex flex-wrap gap-2">
            <Button kind="secondary" disabled={typed === ''} onClick={addLink}>
              {t('products.video-add')}
            </Button>
            <FileButton label={t('products.video-upload')} icon={<PlayIcon size={18} />} accept="video/mp4" onFiles={uploads.add} />
          </span>
        </div>
      )}
    </div>
  )
}

/** One video; without `onRemove` it is only to be looked at. */
function Video({ url, index, onRemove }: { url: string; index: number; onRemove?(): void }) {
  const { t } = useI18n()
  const { error } = useFormField(`videos.${index}`)
  return (
    <li className="rounded-card border border-line bg-paper ps-3">
      <div className="flex items-center gap-2">
        <PlayIcon size={18} className="shrink-0 text-leaf-600" />
        <a href={url} target="_blank" rel="noreferrer" className="min-w-0 grow truncate py-2 underline-offset-4 hover:underline">
          {url.startsWith('/') ? t('products.video-own') : url}
        </a>
        {onRemove ? (
          <button
            type="button"
            aria-label={t('products.video-remove', { number: index + 1 })}
            className="grid size-11 shrink-0 place-items-center rounded-card hover:bg-leaf-100"
            onClick={onRemove}
          >
            <CloseIcon size={18} />
          </button>
        ) : null}
      </div>
      {error ? (
        <p role="alert" className="pb-2 text-sm font-semibold text-terracotta">
          {error}
        </p>
      ) : null}
    </li>
  )
}
