// The values that products.coat and products.sex hold, without their texts (coats.ts, sexes.ts): pages check URLs with them.

export const COAT_KEYS = ['red', 'brown', 'fawn', 'black', 'white', 'grey', 'pied', 'red-pied'] as const
export type Coat = (typeof COAT_KEYS)[number]

/** Cattle are traded by these. An ox is castrated, a heifer has not calved. */
export const SEX_KEYS = ['bull', 'ox', 'cow', 'heifer'] as const
export type Sex = (typeof SEX_KEYS)[number]
