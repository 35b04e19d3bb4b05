import { lazy } from 'react'
import { BookingForm } from './booking-form.tsx'
import { KurbaniPage, type KurbaniProps } from './kurbani-page.tsx'

// Without its code the page stays as it is.
const CowListing = lazy(() =>
  import('./cow-listing.tsx').then(
    (part) => ({ default: part.CowListing }),
    () => ({ default: BookingForm }),
  ),
)

export function Page(props: KurbaniProps) {
  return <KurbaniPage props={props} Cows={CowListing} Form={BookingForm} />
}
