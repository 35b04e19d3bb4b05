import type { CallResult } from '#page/api-client.ts'

/** What a supervisor types at the cashier's screen. */
export interface TypedSupervisor {
  phone: string
  code: string
}

/** Sends a request with the supervisor's phone and code. Resolves to a text for the open dialog, or to null when the dialog is done. */
export type Approve = (supervisor: TypedSupervisor) => Promise<string | null>

/** Whether the dialog stays open for another try: the code is wrong, too many were tried, or no answer came. */
export function needsAnotherCode({ noResponse, status, body }: CallResult<{ errors?: Record<string, string[]> } | null>): boolean {
  return noResponse === true || status === 429 || body?.errors?.code !== undefined
}
