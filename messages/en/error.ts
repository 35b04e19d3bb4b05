export const error = {
}
