import { lazy } from 'react'
import { BookingForm } from './kurbani/booking-form.tsx'
import { KurbaniPage, type KurbaniProps } from './kurbani/kurbani-page.tsx'

const CowListing = lazy(() => import('./kurbani/cow-listing.tsx').then((module) => ({ default: module.CowListing })))

export function Page(props: KurbaniProps) {
  return <KurbaniPage props={props} Cows={CowListing} Form={BookingForm} />
}
