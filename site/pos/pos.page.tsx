import type { ReactNode } from 'react'
import { ButtonLink } from '#components/button.tsx'
import type { FavouriteTile } from '#features/pos/favourites.server.ts'
import type { PosTerms } from '#features/pos/pos-terms.ts'
import type { RegisterChoice } from '#features/pos/registers.server.ts'
import type { ScaleLabelRule } from '#features/settings/settings.ts'
import { useI18n, usePageContext } from '#page/page-context.tsx'
import { FullScreenLayout } from '../admin/ui/full-screen-layout.tsx'
import { usePermissions } from '../admin/ui/use-permissions.ts'
import { CashierActions } from './cashier-button.tsx'
import { usePosWorker } from './device/use-pos-worker.ts'
import { MoreActions } from './more-actions.tsx'
import { NoShiftActions } from './no-shift-actions.tsx'
import { PosSale } from './pos-sale.tsx'
import { OpenShift, ShiftActions } from './shift-bar.tsx'

export interface Props extends PosTerms {
  /** The formats of scale labels. */
  scales: ScaleLabelRule[]
  /** The products on the buttons. */
  favourites: FavouriteTile[]
  /** The registers to open a shift at; empty while one is open. */
  registers: RegisterChoice[]
  /** Whether the cashier's shift is open. */
  isOpen: boolean
  shiftId: number | null
  /** When the open shift was opened, where that was on an earlier day; else null. */
  openSince: string | null
}

/** The POS in full screen: scan, take payment, next sale. */
export function Page({ registers, isOpen, shiftId, ...more }: Props) {
  const { t } = useI18n()
  const { can } = usePermissions()
  const { user } = usePageContext()
  const canSell = can('pos.sell')
  const cashier = { id: user?.id ?? 0, name: user?.name ?? '', shiftId }
  usePosWorker({ canSell })
  return (
    <FullScreenLayout title={t('pos.title')} actions={canSell ? <PosActions isOpen={isOpen} /> : null}>
      <div id="quick-order" className="lg:h-full">
        {!canSell ? (
          <Notice>
            <p>{t('pos.only-look')}</p>
            <ButtonLink href="/admin/quick-orders/shifts">{t('pos.shifts')}</ButtonLink>
          </Notice>
        ) : !isSecurePage() ? (
          <Notice>
            <p role="alert">{t('pos.insecure')}</p>
          </Notice>
        ) : isOpen ? (
          <PosSale {...more} cashier={cashier} />
        ) : (
          <OpenShift registers={registers} />
        )}
      </div>
    </FullScreenLayout>
  )
}

function Notice({ children }: { children: ReactNode }) {
  return <section className="mx-auto mt-8 max-w-md space-y-4 rounded-card border border-line bg-milk p-6">{children}</section>
}

/**
 * Whether the browser has what stores and sends the sales of this device: without https it lacks Web Locks. The sale cannot be hydrated
 * there, so React discards the server's page.
 */
const isSecurePage = () => typeof window === 'undefined' || isSecureContext

function PosActions({ isOpen }: { isOpen: boolean }) {
  return (
    <>
      {isOpen ? (
        <>
          <ShiftActions />
          <MoreActions />
        </>
      ) : (
        <NoShiftActions />
      )}
      <CashierActions />
    </>
  )
}
