export const order = {
}
