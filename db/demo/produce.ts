import { CROPS } from './crops.ts'
import { FRUITS } from './fruits.ts'

/** Products sold by weight or piece. The index determines the barcode. */
export const PRODUCE = [...FRUITS, ...CROPS]
