import type { Picture } from '#lib/files/picture.ts'
import type { ReviewState } from './rules.ts'

/** A published review. */
export interface ReviewJson {
  id: number
  /** 1 to 5. */
  rating: number
  body: string
  /** The shortened name of the buyer. */
  name: string
  /** The day on which it was written, in Dhaka. */
  day: string
  pictures: Picture[]
  /** The answer of the shop; empty for none. */
  answer: string
}

/** The published reviews of a product: all counted, the newest listed. */
export interface ProductReviewsJson {
  count: number
  /** With one decimal place; 0 without reviews. */
  average: number
  newest: ReviewJson[]
}

/** A picture of a buyer's own review. */
export interface ReviewPicture {
  image_id: number
  picture: Picture
}

/** A buyer's own review of a product. */
export interface OwnReview {
  product_id: number
  rating: number
  body: string
  state: ReviewState
  /** Why staff refused it; empty otherwise. */
  refusal: string
  answer: string
  pictures: ReviewPicture[]
}

/** A review in the admin. */
export interface ReviewRow {
  id: number
  order_id: number
  product_id: number
  product_en: string
  product_bn: string
  rating: number
  body: string
  name: string
  state: ReviewState
  refusal: string
  answer: string
  version: number
  created_at: string
  pictures: Picture[]
}
