import { lazy } from 'react'
import { CowListing } from './kurbani/cow-listing.tsx'
import { KurbaniPage, type KurbaniProps } from './kurbani/kurbani-page.tsx'

const BookingForm = lazy(() => import('./kurbani/booking-form.tsx').then((module) => ({ default: module.BookingForm })))

export function Page(props: KurbaniProps) {
  return <KurbaniPage props={props} Cows={CowListing} Form={BookingForm} />
}
