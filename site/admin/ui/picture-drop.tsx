import { type DragEvent, type MouseEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { focusBeside, focusIfLost } from '#components/focus-beside.ts'
import { buttonClass } from '#components/button.tsx'
import type { UploadedImage } from '#features/catalog/media/images.server.ts'
import { useI18n } from '#page/page-context.tsx'
import { CropDialog } from './crop-dialog.tsx'
import { moved } from './drag-order.ts'
import { CameraIcon, CloseIcon, CropIcon, LeftIcon, PictureIcon, RightIcon } from './icons.tsx'
import { UploadList } from './upload-list.tsx'
import { usePictureUploads } from './uploads.ts'

interface PictureDropProps {
  label: ReactNode
  /** The pictures in their order. */
  value: UploadedImage[]
  onChange(next: UploadedImage[]): void
  /** How many there may be; one is replaced by the next. */
  max?: number
  hint?: ReactNode
  error?: string | undefined
  /** Aspect ratio of the crop; null without cropping. */
  aspect?: number | null
  /** How a picture fills its frame; `contain` shows it whole. */
  fit?: 'cover' | 'contain'
  /** Marks the first picture as the cover. */
  marksFirst?: boolean
  /** Only to be looked at. */
  readOnly?: boolean
}

const ACCEPTED = 'image/jpeg,image/png,image/webp'

/** Takes pictures in, by dropping, from the gallery or by the camera; orders them by dragging or by buttons, cuts and removes them. */
export function PictureDrop({
  label,
  value,
  onChange,
  max = 1,
  hint,
  error,
  aspect = 4 / 3,
  fit = 'cover',
  marksFirst = false,
  readOnly = false,
}: PictureDropProps) {
  const { t } = useI18n()
  const id = useId()
  // Uploads finish in any order: each is added to the current list.
  const latest = useRef(value)
  useEffect(() => void (latest.current = value), [value])
  const change = (next: UploadedImage[]) => {
    latest.current = next
    onChange(next)
  }
  const changeShown = (next: UploadedImage[]) => {
    change(next)
    if (next.length === 0) focusIfLost(`[aria-labelledby="${id}-label"] input`)
  }
  const uploads = usePictureUploads((image) => change(max === 1 ? [image] : [...latest.current, image].slice(0, max)))
  const [cropping, setCropping] = useState<UploadedImage | null>(null)
  const free = max === 1 ? 1 : max - value.length - uploads.sending.filter((one) => one.error === null).length
  const take = (files: Iterable<File>) => {
    // The next choice replaces the one that failed, as it replaces the picture.
    if (max === 1) uploads.sending.forEach(({ key, error }) => error !== null && uploads.dismiss(key))
    uploads.add([...files].slice(0, Math.max(0, free)))
  }
  if (readOnly && value.length === 0) return null
  return (
    <div role="group" aria-labelledby={`${id}-label`} aria-describedby={`${id}-hint`} className="grid gap-3">
      <span id={`${id}-label`} className="font-semibold">
        {label}
      </span>
      {value.length > 0 ? (
        <Pictures {...{ value, fit, marksFirst, readOnly }} onChange={changeShown} {...(aspect === null ? {} : { onCrop: setCropping })} />
      ) : null}
      <UploadList sending={uploads.sending} onAgain={uploads.again} onDismiss={uploads.dismiss} />
      {readOnly || free <= 0 ? null : <Takers multiple={max > 1} onFiles={take} />}
      <p
        id={`${id}-hint`}
        className={`text-sm ${error ? 'font-semibold text-terracotta' : 'text-stone'}`}
        role={error ? 'alert' : undefined}
      >
        {error ??
          (readOnly ? null : (
            <>
              {hint ?? t('upload.hint')} {max > 1 ? t('upload.limit', { max }) : null}
            </>
          ))}
      </p>
      {cropping && aspect !== null ? (
        <CropDialog
          image={cropping}
          aspect={aspect}
          onClose={() => setCropping(null)}
          onCropped={(cut) => change(latest.current.map((one) => (one.image_id === cropping.image_id ? cut : one)))}
        />
      ) : null}
    </div>
  )
}

/** The drop area for files, with buttons to choose them. */
function Takers({ multiple, onFiles }: { multiple: boolean; onFiles(files: Iterable<File>): void }) {
  const { t } = useI18n()
  const [isOver, setOver] = useState(false)
  const over = (event: DragEvent) => {
    if (!event.dataTransfer.types.includes('Files')) return
    event.preventDefault()
    setOver(true)
  }
  return (
    <div
      className={`flex flex-wrap items-center gap-2 rounded-card border-2 border-dashed p-3 ${isOver ? 'border-leaf-600 bg-leaf-100' : 'border-line bg-paper'}`}
      onDragEnter={over}
      onDragOver={over}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        onFiles(event.dataTransfer.files)
      }}
    >
      <FileButton label={t('upload.choose')} icon={<PictureIcon size={18} />} multiple={multiple} onFiles={onFiles} />
      <span className="hidden pointer-coarse:contents">
        <FileButton label={t('upload.camera')} icon={<CameraIcon size={18} />} camera onFiles={onFiles} />
      </span>
      <span className="text-sm text-stone pointer-coarse:hidden">{t('upload.drop')}</span>
    </div>
  )
}

interface FileButtonProps {
  label: string
  icon: ReactNode
  multiple?: boolean
  camera?: boolean
  accept?: string
  disabled?: boolean
  onFiles(files: Iterable<File>): void
}

/** A file field that looks like a button. */
export function FileButton({
  label,
  icon,
  multiple = false,
  camera = false,
  accept = ACCEPTED,
  disabled = false,
  onFiles,
}: FileButtonProps) {
  return (
    <label className={buttonClass({ kind: 'secondary', size: 'small' }, 'relative min-h-11 cursor-pointer focus-within:outline-2')}>
      {icon}
      {label}
      <input
        type="file"
        accept={accept}
        multiple={multiple}
        disabled={disabled}
        {...(camera ? { capture: 'environment' as const } : {})}
        className="absolute inset-0 w-full cursor-pointer opacity-0"
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])])
          event.target.value = ''
        }}
      />
    </label>
  )
}

interface PicturesProps {
  value: UploadedImage[]
  onChange(next: UploadedImage[]): void
  onCrop?(image: UploadedImage): void
  fit: 'cover' | 'contain'
  marksFirst: boolean
  readOnly: boolean
}

function Pictures({ value, onChange, onCrop, fit, marksFirst, readOnly }: PicturesProps) {
  const { t } = useI18n()
  const [dragged, setDragged] = useState<number | null>(null)
  return (
    <ol className="grid grid-cols-2 gap-3 sm:grid-cols-3">
      {value.map((image, index) => {
        const number = index + 1
        return (
          <li
            key={image.image_id}
            draggable={!readOnly && value.length > 1}
            className={`overflow-hidden rounded-card border border-line bg-paper ${dragged === index ? 'opacity-50' : ''}`}
            onDragStart={(event) => {
              event.dataTransfer.effectAllowed = 'move'
              setDragged(index)
            }}
            onDragEnter={() => {
              if (dragged === null || dragged === index) return
              onChange(moved(value, dragged, index))
              setDragged(index)
            }}
            onDragOver={(event) => {
              if (dragged !== null) event.preventDefault()
            }}
            onDragEnd={() => setDragged(null)}
          >
            <span className="relative block">
              <img
                src={`/uploads/${image.picture.token}-${image.picture.widths.find((w) => w >= 320) ?? image.picture.widths.at(-1)}.webp`}
                alt={t('upload.picture', { number })}
                draggable={false}
                width={320}
                height={240}
                className={`aspect-4/3 w-full ${fit === 'cover' ? 'object-cover' : 'bg-white object-contain p-2'}`}
                {...(fit === 'cover' ? { style: { background: `url(${image.picture.placeholder}) center / cover` } } : {})}
              />
              {marksFirst && index === 0 ? <span className="chip chip-tag absolute start-2 top-2">{t('upload.first')}</span> : null}
            </span>
            {readOnly ? null : (
              <span className="flex justify-between">
                <Tool
                  label={t('upload.earlier', { number })}
                  disabled={index === 0}
                  onClick={() => onChange(moved(value, index, index - 1))}
                >
                  <LeftIcon size={18} />
                </Tool>
                <Tool
                  label={t('upload.later', { number })}
                  disabled={index === value.length - 1}
                  onClick={() => onChange(moved(value, index, index + 1))}
                >
                  <RightIcon size={18} />
                </Tool>
                {onCrop ? (
                  <Tool label={t('upload.crop', { number })} onClick={() => onCrop(image)}>
                    <CropIcon size={18} />
                  </Tool>
                ) : null}
                <Tool
                  label={t('upload.remove', { number })}
                  onClick={(event) => {
                    focusBeside(event, 'li')
                    onChange(value.filter((one) => one !== image))
                  }}
                >
                  <CloseIcon size={18} />
                </Tool>
              </span>
            )}
          </li>
        )
      })}
    </ol>
  )
}

interface ToolProps {
  label: string
  /** Keeps the focus, which a disabled button would lose. */
  disabled?: boolean
  onClick(event: MouseEvent<HTMLElement>): void
  children: ReactNode
}

function Tool({ label, disabled = false, onClick, children }: ToolProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      aria-disabled={disabled}
      className="grid h-11 grow place-items-center text-leaf-800 hover:bg-leaf-100 aria-disabled:text-stone/50 aria-disabled:hover:bg-transparent"
      onClick={(event) => disabled || onClick(event)}
    >
      {children}
    </button>
  )
}
