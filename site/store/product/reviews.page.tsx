import { ServerOnly } from '#components/server-only.tsx'
import { StoreLayout } from '../layout.tsx'
import { AllReviews, type AllReviewsProps } from './reviews.static.tsx'

export type Props = AllReviewsProps

/** All published reviews of a product. */
export function Page(props: Props) {
  return (
    <StoreLayout>
      <ServerOnly id="all-reviews">{import.meta.env.SSR ? <AllReviews {...props} /> : null}</ServerOnly>
    </StoreLayout>
  )
}
