import { CROPS } from './crops.ts'
import { FRUITS } from './fruits.ts'

/** What the demo shop sells by weight or piece; its place here gives an item its barcode. */
export const PRODUCE = [...FRUITS, ...CROPS]
