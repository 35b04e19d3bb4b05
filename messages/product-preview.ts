/** The words of a product's preview, which only the staff see: no other page carries them. */
export const PREVIEW_WORDS = {
  en: { title: 'Preview: only the staff see this', card: 'On a list it looks like this' },
  bn: { title: 'আগে দেখা: শুধু কর্মীরা দেখছেন', card: 'তালিকায় এমন দেখাবে' },
}
