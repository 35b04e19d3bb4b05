import { type RawBuilder, sql } from 'kysely'
import { STAFF_ROLES } from './permissions.ts'

// Conditions on rows of `users`.

/** Members of staff. The roles are literals: from parameters PostgreSQL cannot tell that the partial index `users_staff` has them all. */
export const IS_STAFF: RawBuilder<boolean> = sql`role in (${sql.join(STAFF_ROLES.map((role) => sql.lit(role)))})`

/** The user `u` has a second factor, confirmed by a code. */
export const HAS_SECOND_FACTOR: RawBuilder<boolean> = sql`exists (select 1 from second_factors f where f.user_id = u.id and f.confirmed_at is not null)`
