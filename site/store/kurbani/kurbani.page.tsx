import { lazy } from 'react'
import { CowListing } from './cow-listing.tsx'
import { KurbaniPage, type KurbaniProps } from './kurbani-page.tsx'

const BookingForm = lazy(() => import('./booking-form.tsx').then((module) => ({ default: module.BookingForm })))

export function Page(props: KurbaniProps) {
  return <KurbaniPage props={props} Cows={CowListing} Form={BookingForm} />
}
