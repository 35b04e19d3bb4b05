export const pages = {
}
