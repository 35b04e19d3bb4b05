/** A setting is wrong or missing. The message is one line, meant for the person who started the shop. */
export class SettingsError extends Error {
  override name = 'SettingsError'
}
