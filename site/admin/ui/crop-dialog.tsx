import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react'
import { Button } from '#components/button.tsx'
import { Dialog } from '#components/dialog.tsx'
import { showToast } from '#components/toast.tsx'
import type { UploadedImage } from '#features/catalog/media/images.server.ts'
import { UPLOAD_TIMEOUT_MS } from '#lib/http/upload-timeout.ts'
import { useI18n } from '#page/page-context.tsx'
import { adminPost } from './admin-post.ts'

interface CropDialogProps {
  image: UploadedImage
  /** Width over height of the frame. */
  aspect: number
  onClose(): void
  onCropped(cut: UploadedImage): void
}

const STEP = 0.02
const MIN = 0.2

const within = (value: number, max: number) => Math.min(Math.max(value, 0), max)

/** A frame of fixed shape over the picture, moved by pointer or keys; the server cuts. */
export function CropDialog({ image, aspect, onClose, onCropped }: CropDialogProps) {
  const { t } = useI18n()
  const { picture } = image
  const shape = picture.width / picture.height / aspect
  const widest = Math.min(1, 1 / shape)
  const [frame, setFrame] = useState({ x: (1 - widest) / 2, y: (1 - widest * shape) / 2, width: widest })
  const [busy, setBusy] = useState(false)
  const whole = useRef<HTMLDivElement>(null)
  const grip = useRef<{ x: number; y: number } | null>(null)
  const height = frame.width * shape

  const place = (x: number, y: number, width = frame.width) => setFrame({ width, x: within(x, 1 - width), y: within(y, 1 - width * shape) })
  const resize = (width: number) => place(frame.x + (frame.width - width) / 2, frame.y + ((frame.width - width) * shape) / 2, width)
  function drag(event: PointerEvent) {
    const box = whole.current?.getBoundingClientRect()
    if (!grip.current || !box) return
    place(frame.x + (event.clientX - grip.current.x) / box.width, frame.y + (event.clientY - grip.current.y) / box.height)
    grip.current = { x: event.clientX, y: event.clientY }
  }
  function press(event: KeyboardEvent) {
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key]
    if (!way) return
    event.preventDefault()
    place(frame.x + way[0]! * STEP, frame.y + way[1]! * STEP)
  }
  async function crop() {
    setBusy(true)
    const body = { x: frame.x, y: frame.y, width: frame.width, height: Math.min(1, height) }
    const written = await adminPost<UploadedImage>(`/admin/uploads/images/${image.image_id}/crop`, body, { timeoutMs: UPLOAD_TIMEOUT_MS })
    setBusy(false)
    if (!written.ok) return showToast(written.message ?? t('upload.crop-lost'), { kind: 'error' })
    onCropped(written.body)
    onClose()
  }
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={t('upload.crop-title')}
      closeLabel={t('admin.close')}
      actions={
        <>
          <Button kind="secondary" onClick={onClose}>
            {t('admin.cancel')}
          </Button>
          <Button busy={busy} onClick={() => void crop()}>
            {t('upload.crop-do')}
          </Button>
        </>
      }
    >
      <p className="text-sm text-stone">{t('upload.crop-hint')}</p>
      <div
        ref={whole}
        className="relative mx-auto mt-3 w-fit max-w-full touch-none overflow-hidden rounded-tag select-none"
        onPointerMove={drag}
        onPointerUp={() => (grip.current = null)}
      >
        <img
          src={`/uploads/${picture.token}-${picture.widths.at(-1)}.webp`}
          alt=""
          width={picture.width}
          height={picture.height}
          draggable={false}
          className="max-h-[55dvh] w-auto"
        />
        <button
          type="button"
          aria-label={t('upload.crop-frame')}
          className="absolute cursor-move border-2 border-white shadow-[0_0_0_100vmax_rgb(28_42_32/0.6)]"
          style={{ left: `${frame.x * 100}%`, top: `${frame.y * 100}%`, width: `${frame.width * 100}%`, height: `${height * 100}%` }}
          onPointerDown={(event) => {
            event.currentTarget.setPointerCapture(event.pointerId)
            grip.current = { x: event.clientX, y: event.clientY }
          }}
          onKeyDown={press}
        />
      </div>
      <label className="mt-3 flex items-center gap-3 text-sm">
        <span className="shrink-0">{t('upload.crop-size')}</span>
        <input
          type="range"
          min={MIN * widest}
          max={widest}
          step={0.01}
          value={frame.width}
          className="min-h-11 grow accent-leaf-600"
          onChange={(event) => resize(Number(event.target.value))}
        />
      </label>
    </Dialog>
  )
}
