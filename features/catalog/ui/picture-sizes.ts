// The `sizes` of the first pictures of pages. The `img` elements and the preload links in the head must have the same values.

// Less than the real width on a phone: on dense screens the next smaller file looks the same and loads sooner.
export const GALLERY_SIZES = '(min-width: 1152px) 620px, (min-width: 1024px) 54vw, (min-width: 640px) 100vw, 66vw'

// Cards in a list.
export const CARD_SIZES = '(min-width: 1152px) 262px, (min-width: 1024px) 23vw, (min-width: 640px) 30vw, 44vw'

/** The picture of the home page: a tall one for phones. */
export const HERO = {
  phones: '(max-width: 639px)',
  others: '(min-width: 640px)',
  tallSizes: '66vw',
  wideSizes: '(min-width: 1152px) 1152px, 100vw',
}
