export const auth = {
}
