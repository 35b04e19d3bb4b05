export const checkout = {
}
