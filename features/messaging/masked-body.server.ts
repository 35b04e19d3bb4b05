import { type RawBuilder, sql } from 'kysely'

/** The text of SQL for the body of messages: of codes with masked digits, so that staff cannot sign in with them, else `body`. */
export const maskedBody = (body: string): string =>
  `case when purpose = 'code' then regexp_replace(body, '[0-9০-৯]', '•', 'g') else ${body} end`

export const MASKED_BODY: RawBuilder<string> = sql.raw(maskedBody('body'))
