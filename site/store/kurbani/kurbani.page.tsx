import { lazy } from 'react'
import { CowListing } from './cow-listing.tsx'
import { KurbaniPage, type KurbaniProps } from './kurbani-page.tsx'

// Without its code the page stays as it is.
const BookingForm = lazy(() =>
  import('./booking-form.tsx').then(
    (part) => ({ default: part.BookingForm }),
    () => ({ default: CowListing }),
  ),
)

export function Page(props: KurbaniProps) {
  return <KurbaniPage props={props} Cows={CowListing} Form={BookingForm} />
}
