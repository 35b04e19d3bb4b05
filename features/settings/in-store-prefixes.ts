/** The EAN prefixes for codes that a shop makes itself: labels of scales, and barcodes of products that have none. */
export const IN_STORE_PREFIXES = ['20', '21', '22', '23', '24', '25', '26', '27', '28', '29'] as const
