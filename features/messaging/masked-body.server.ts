import { type RawBuilder, sql } from 'kysely'

/** The body of messages with the digits of codes masked: staff cannot sign in with them. */
export const MASKED_BODY: RawBuilder<string> = sql`case when purpose = 'code' then regexp_replace(body, '[0-9০-৯]', '•', 'g') else body end`
