// What a failed SMTP attempt means. RFC 5321 §4.2.1: 4xx may succeed later, 5xx never will.
import type { EmailOutcome } from './gateway.ts'

/** An error of nodemailer: `code` is its class, `command` the SMTP command, `responseCode` the server's status. */
export interface SmtpError {
  code?: string
  command?: string
  responseCode?: number
}

/** Commands whose 5xx is about this message. At any other command it is about the account or the server. */
const ABOUT_THE_MESSAGE = new Set(['RCPT TO', 'DATA'])

/** The outcome of a failed attempt. A wrong password or sender is a problem of the settings: messages wait for its repair. */
export function outcomeOfError({ code = 'fault', command = '', responseCode }: SmtpError): EmailOutcome {
  const text = responseCode === undefined ? code : String(responseCode)
  const isAboutMessage = ABOUT_THE_MESSAGE.has(command) && responseCode !== undefined
  if (isAboutMessage && responseCode >= 500) return { state: 'refused', code: text }
  return { state: 'later', code: text, isServerProblem: !isAboutMessage }
}
