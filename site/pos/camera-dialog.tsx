import { useRef } from 'react'
import { Button } from '#components/button.tsx'
import { Dialog } from '#components/dialog.tsx'
import { useI18n } from '#page/page-context.tsx'
import { useCamera } from './use-camera.ts'
import type { ScanFeedback } from './use-scan-feedback.ts'

interface CameraDialogProps {
  feedback: ScanFeedback | null
  onCode: (code: string) => void
  onClose: () => void
}

/** The phone's camera as a scanner; scans until it is closed. */
export function CameraDialog({ feedback, onCode, onClose }: CameraDialogProps) {
  const { t } = useI18n()
  return (
    <Dialog open onClose={onClose} title={t('pos.camera')} closeLabel={t('admin.close')}>
      <Camera feedback={feedback} onCode={onCode} onClose={onClose} />
    </Dialog>
  )
}

function Camera({ feedback, onCode, onClose }: CameraDialogProps) {
  const { t } = useI18n()
  const video = useRef<HTMLVideoElement>(null)
  const { problem, isReady, light, turnLight } = useCamera(video, onCode, onClose)
  if (problem)
    return (
      <p role="alert" className="rounded-card border-2 border-terracotta p-4">
        {t(`pos.camera-${problem}`)}
      </p>
    )
  return (
    <div className="space-y-3">
      <div
        className={`relative overflow-hidden rounded-card bg-ink ${feedback?.kind === 'accepted' ? 'ring-4 ring-leaf-600' : feedback ? 'ring-4 ring-terracotta' : ''}`}
      >
        <video ref={video} playsInline muted className="aspect-[4/3] w-full object-cover" aria-label={t('pos.camera-picture')} />
        <span aria-hidden="true" className="absolute inset-x-8 top-1/2 h-0.5 -translate-y-1/2 bg-tag" />
      </div>
      <p
        role="status"
        className={`min-h-12 font-semibold ${feedback?.kind === 'rejected' ? 'text-terracotta' : feedback ? 'text-leaf-700' : 'text-stone'}`}
      >
        {feedback ? feedback.text : t(isReady ? 'pos.camera-hint' : 'pos.camera-wait')}
      </p>
      <div className="flex flex-wrap justify-end gap-2">
        {light ? (
          <Button kind="secondary" aria-pressed={light.isOn} onClick={() => void turnLight()}>
            {t(light.isOn ? 'pos.camera-light-off' : 'pos.camera-light-on')}
          </Button>
        ) : null}
        <Button onClick={onClose}>{t('pos.camera-done')}</Button>
      </div>
    </div>
  )
}
