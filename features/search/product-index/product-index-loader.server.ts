import { sql } from 'kysely'
import type { Db } from '#lib/db/db.server.ts'
import { poisha } from '#lib/format/money.ts'
import { unitPriceAfterDiscount } from '#features/catalog/shown-price-rules.ts'
import { ProductIndex, type IndexedProduct } from './product-index.ts'

/** So many are read at once, a dozen milliseconds of work: between them the process answers others. */
const PIECE = 500
/** Of more changes reading everything anew is the surer way: an index leads to so few, whatever the planner believes. */
const MAX_CHANGES = 2000

interface Row {
  id: number
  category_id: number
  availability_rank: number
  price_poisha: number
  discount_kind: 'percentage' | 'fixed' | null
  discount_value: number | null
  visible: boolean
  search_text: string
  text_mark: number
  code: string | null
  tag: string | null
}

/** Up to where a shelf is true: changes of transactions from `horizon` on may be missing; of another `epoch` everything is. */
interface Mark {
  epoch: string
  horizon: string
}

/** One reading of the database, and the questions that came before it. */
interface Refresh {
  answers: number
  revision: number | null
  done: Promise<void>
}

const columns = sql`p.id, p.category_id, p.availability_rank, p.price_poisha, p.discount_kind, p.discount_value, p.visible, p.search_text,
  hashtextextended(p.search_text, 0) & 9007199254740991 as text_mark, lower(p.barcode) as code, lower(p.tag_number) as tag`
// A product that is deleted leaves no trace in its table; a database that was put in the place of another knows none of our transactions.
const mark = sql`(select epoch from catalog_epoch) || ' ' || (select oid from pg_database where datname = current_database()) || ' ' || pg_postmaster_start_time() as epoch,
  pg_snapshot_xmin(pg_current_snapshot())::text as horizon`

/**
 * The shelf of this process. It is brought up to date before it answers, by what has changed since, whenever the catalog's
 * revision has risen; while changes cannot be heard of, before each answer.
 */
export class ProductIndexLoader {
  readonly #db: Db
  readonly #revision: () => number | null
  #shelf = new ProductIndex()
  #mark: Mark | null = null
  #knownRevision: number | null = null
  #questions = 0
  #refresh: Refresh | null = null

  constructor(db: Db, revision: () => number | null) {
    this.#db = db
    this.#revision = revision
  }

  /** The shelf as it is now. Throws when the database is away. */
  async current(): Promise<ProductIndex> {
    const question = ++this.#questions
    for (;;) {
      const revision = this.#revision()
      if (revision !== null && revision === this.#knownRevision) return this.#shelf
      const refresh = (this.#refresh ??= this.#begin(revision))
      await refresh.done
      // What is read after the question was put is new enough, even if more has happened since.
      if (refresh.answers >= question) return this.#shelf
    }
  }

  #begin(revision: number | null): Refresh {
    const done = this.#bringUpToDate()
      .then(() => void (this.#knownRevision = revision))
      .finally(() => void (this.#refresh = null))
    return { answers: this.#questions, revision, done }
  }

  async #bringUpToDate(): Promise<void> {
    if (this.#mark && !this.#shelf.needsRebuild && (await this.#addChanges(this.#mark))) return
    await this.#readAll()
  }

  /** False when there are too many of them, or when it is not known which. */
  async #addChanges(since: Mark): Promise<boolean> {
    const { rows } = await sql<Mark & (Row | { id: null })>`/*prepared shelf_changes*/
      select m.*, c.* from (select ${mark}) m
      left join lateral (select ${columns} from products p where p.changed_xid >= ${since.horizon}::xid8
        order by p.changed_xid limit ${sql.lit(MAX_CHANGES + 1)}) c on true`.execute(this.#db)
    const { epoch, horizon } = rows[0]!
    if (epoch !== since.epoch || rows.length > MAX_CHANGES) return false
    this.#shelf.put(rows.filter((row): row is Mark & Row => row.id !== null).map(toIndexEntry))
    this.#mark = { epoch, horizon }
    return true
  }

  async #readAll(): Promise<void> {
    const shelf = new ProductIndex()
    const begun = (await sql<Mark>`select ${mark}`.execute(this.#db)).rows[0]!
    for (let last: number | undefined = 0; last !== undefined;) {
      const { rows }: { rows: Row[] } = await sql<Row>`
        select ${columns} from products p where p.visible and p.id > ${last} order by p.id limit ${PIECE}`.execute(this.#db)
      shelf.put(rows.map(toIndexEntry))
      last = rows.length < PIECE ? undefined : rows.at(-1)?.id
    }
    this.#shelf = shelf
    this.#mark = begun
  }
}

function toIndexEntry(row: Row): IndexedProduct {
  const discount = row.discount_kind === null ? null : { kind: row.discount_kind, value: row.discount_value ?? 0 }
  return {
    id: row.id,
    categoryId: row.category_id,
    rank: row.availability_rank,
    price: unitPriceAfterDiscount(poisha(row.price_poisha), discount),
    isVisible: row.visible,
    text: row.search_text,
    textMark: row.text_mark,
    barcode: row.code,
    tag: row.tag,
  }
}
