// How wide the first pictures of pages are shown: their elements and the line in the document's head that asks for them ahead must say the same.

// On a phone less than its true width: at the density of today's the next smaller file looks the same and is there sooner.
export const GALLERY_SIZES = '(min-width: 1152px) 620px, (min-width: 1024px) 54vw, (min-width: 640px) 100vw, 66vw'

// One of many in a list.
export const CARD_SIZES = '(min-width: 1152px) 262px, (min-width: 1024px) 23vw, (min-width: 640px) 30vw, 44vw'

/** The home page's picture: a tall one for phones. */
export const HERO = {
  phones: '(max-width: 639px)',
  others: '(min-width: 640px)',
  tallSizes: '66vw',
  wideSizes: '(min-width: 1152px) 1152px, 100vw',
}
