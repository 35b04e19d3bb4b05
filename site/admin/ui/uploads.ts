import { useEffect, useRef, useState } from 'react'
import type { UploadedImage } from '#features/catalog/media/images.server.ts'
import { useI18n } from '#page/page-context.tsx'
import { removeUpload, trackUpload } from './running-uploads.ts'
import { sendFile } from './send-file.ts'
import { useLeaveGuard } from './use-form.ts'
import { shrinkPicture } from '#page/shrink-picture.ts'

/** A running upload. */
export interface Sending {
  key: number
  name: string
  /** 0 to 1; 1 while the server prepares it. */
  share: number
  error: string | null
  /** False after an answer that the same file gets again. */
  canRetry: boolean
  file: File
}

interface UploadOptions<Answer> {
  url: string
  prepare?(file: File): Promise<Blob>
  onDone(answer: Answer): void
}

/** Too large, or no picture or video. */
const FINAL = [413, 422]

let serial = 0

/** Uploads files in turn, with progress. Failed files stay in the list with the reason and can be retried. */
export function useUploads<Answer>({ url, prepare, onDone }: UploadOptions<Answer>) {
  const { t } = useI18n()
  const [sending, setSending] = useState<Sending[]>([])
  const turn = useRef(Promise.resolve(true))
  useLeaveGuard(sending.some(({ error }) => error === null))
  const change = (key: number, values: Partial<Sending>) =>
    setSending((now) => now.map((one) => (one.key === key ? { ...one, ...values } : one)))
  const keys = useRef(new Set<number>())
  useEffect(() => {
    const { current } = keys
    return () => current.forEach(removeUpload)
  }, [])
  const dismiss = (key: number) => {
    removeUpload(key)
    setSending((now) => now.filter((one) => one.key !== key))
  }

  /** Whether the file arrived. */
  async function send({ key, file, name }: Sending): Promise<boolean> {
    const blob = prepare ? await prepare(file) : file
    const written = await sendFile<Answer>(url, blob, name, { onProgress: (share) => change(key, { share }) })
    if (written.ok) {
      setSending((now) => now.filter((one) => one.key !== key))
      onDone(written.body)
    } else change(key, { error: written.message ?? t('upload.lost'), canRetry: !FINAL.includes(written.status ?? 0) })
    return written.ok
  }
  const queue = (one: Sending) => {
    turn.current = turn.current.then(() => send(one))
    trackUpload(one.key, turn.current)
    keys.current.add(one.key)
  }
  return {
    sending,
    dismiss,
    add(files: Iterable<File>) {
      const fresh = [...files].map((file): Sending => ({
        key: (serial += 1),
        name: file.name,
        share: 0,
        error: null,
        canRetry: true,
        file,
      }))
      setSending((now) => [...now, ...fresh])
      fresh.forEach(queue)
    },
    again(one: Sending) {
      change(one.key, { error: null, share: 0 })
      queue(one)
    },
  }
}

export function usePictureUploads(onDone: (image: UploadedImage) => void) {
  return useUploads<UploadedImage>({ url: '/admin/uploads/images', prepare: shrinkPicture, onDone })
}
