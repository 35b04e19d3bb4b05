import { lazy } from 'react'
import { BookingForm } from './booking-form.tsx'
import { KurbaniPage, type KurbaniProps } from './kurbani-page.tsx'

const CowListing = lazy(() => import('./cow-listing.tsx').then((module) => ({ default: module.CowListing })))

export function Page(props: KurbaniProps) {
  return <KurbaniPage props={props} Cows={CowListing} Form={BookingForm} />
}
