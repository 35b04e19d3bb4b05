export const cart = {
}
