import { lazy, Suspense, useState } from 'react'
import { Button } from '#components/button.tsx'
import { Dialog } from '#components/dialog.tsx'
import { useI18n, usePageContext } from '#page/page-context.tsx'
import { PrinterPanel } from './printer-panel.tsx'
import { ScalePanel } from './scale-panel.tsx'
import { browserSerial } from './serial.ts'

const SimulatorPanel = lazy(() => import('./simulator/simulator-panel.tsx'))
const DISPLAY_URL = '/admin/quick-orders/display'

/** The settings of scale, printer and customer display. */
export function DevicesDialog({ onClose }: { onClose: () => void }) {
  const { t } = useI18n()
  const { demo } = usePageContext()
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={t('pos.devices')}
      closeLabel={t('admin.close')}
      actions={<Button onClick={onClose}>{t('pos.devices.done')}</Button>}
    >
      <div className="space-y-5">
        {browserSerial() ? null : <p className="rounded-card border-2 border-mango p-3">{t('pos.devices.no-serial')}</p>}
        <ScalePanel />
        <hr className="border-line" />
        <PrinterPanel />
        <hr className="border-line" />
        <DisplayPanel />
        {demo ? (
          <>
            <hr className="border-line" />
            <Suspense>
              <SimulatorPanel />
            </Suspense>
          </>
        ) : null}
      </div>
    </Dialog>
  )
}

function DisplayPanel() {
  const { t } = useI18n()
  const [isBlocked, setBlocked] = useState(false)
  const open = () => setBlocked(window.open(DISPLAY_URL, 'khamar-display', 'popup,width=1280,height=800') === null)
  return (
    <section aria-labelledby="device-display" className="space-y-3">
      <h3 id="device-display" className="text-lg">
        {t('pos.display')}
      </h3>
      <div className="flex flex-wrap items-center gap-3">
        <p className="grow basis-60 text-stone">{t('pos.display.text')}</p>
        <Button kind="secondary" onClick={open}>
          {t('pos.display.open')}
        </Button>
      </div>
      {isBlocked ? (
        <p role="alert" className="font-semibold text-terracotta">
          {t('pos.display.blocked')}
        </p>
      ) : null}
    </section>
  )
}
