export const catalog = {
}
