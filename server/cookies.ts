export const LANG_COOKIE = 'lang'
export const POPUP_COOKIE = 'popup'
