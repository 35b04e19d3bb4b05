import { sql } from 'kysely'
import type { Db } from '#lib/db/db.server.ts'
import { poisha } from '#lib/format/money.ts'
import { searchText } from '#lib/format/search-term.ts'
import { foldText } from '#lib/format/text.ts'
import { storedDiscount, unitPriceAfterDiscount } from '#features/catalog/shown-price-rules.ts'
import type { DiscountType } from '#features/catalog/types.ts'
import type { AnimalTraits } from './animal-traits.ts'
import type { IndexedProduct } from './index-types.ts'
import { ProductIndex } from './product-index.ts'

/** Rows of one read, a dozen milliseconds of work. Other requests run between two reads. */
const PAGE_ROWS = 500
/** Above this number of changed rows everything is read: the planner uses the index on changed_xid for few rows only. */
const MAX_CHANGES = 2000

interface Row {
  id: number
  category_id: number
  further_ids: number[]
  availability_rank: number
  price_poisha: number
  discount_kind: DiscountType | null
  discount_value: number | null
  visible: boolean
  search_text: string
  name_en: string
  name_bn: string
  text_hash: number
  code: string | null
  tag: string | null
  is_unique: boolean
  weight_grams: number | null
  breed_en: string | null
  breed_bn: string | null
  sex: string | null
  coat: string | null
  teeth: number | null
}

/** What the index contains: every change of transactions before `horizon`. Another `epoch` makes the index useless. */
interface IndexState {
  epoch: string
  horizon: string
}

/** One read of the database, and the number of requests that came before it. */
interface Refresh {
  requests: number
  revision: number | null
  done: Promise<void>
}

const columns = sql`p.id, p.category_id, array(select k.category_id from product_categories k where k.product_id = p.id order by k.category_id) as further_ids,
  p.availability_rank, p.price_poisha, p.discount_kind, p.discount_value, p.visible, p.search_text, p.name_en, p.name_bn,
  hashtextextended(p.search_text, 0) & 9007199254740991 as text_hash, p.barcode as code, p.tag_number as tag,
  p.is_unique, p.weight_grams, p.breed_en, p.breed_bn, p.sex, p.coat, p.teeth`
// The epoch detects deletes, restarts and restores: after those, transaction ids cannot be compared.
const state = sql`(select epoch from catalog_epoch) || ' ' || (select oid from pg_database where datname = current_database()) || ' ' || pg_postmaster_start_time() as epoch,
  pg_snapshot_xmin(pg_current_snapshot())::text as horizon`

/**
 * The product index of this process. When the catalog's revision has risen, the next request loads the changes first. While changes
 * cannot be observed, every request does.
 */
export class ProductIndexLoader {
  readonly #db: Db
  readonly #revision: () => number | null
  #index = new ProductIndex()
  #state: IndexState | null = null
  #knownRevision: number | null = null
  #requests = 0
  #refresh: Refresh | null = null

  constructor(db: Db, revision: () => number | null) {
    this.#db = db
    this.#revision = revision
  }

  /** The index with every committed change. Throws when the database is away. */
  async current(): Promise<ProductIndex> {
    const request = ++this.#requests
    for (;;) {
      const revision = this.#revision()
      if (revision !== null && revision === this.#knownRevision) return this.#index
      const refresh = (this.#refresh ??= this.#begin(revision))
      await refresh.done
      // A read that began after this request is new enough, even if more has changed since.
      if (refresh.requests >= request) return this.#index
    }
  }

  #begin(revision: number | null): Refresh {
    const done = this.#update()
      .then(() => void (this.#knownRevision = revision))
      .finally(() => void (this.#refresh = null))
    return { requests: this.#requests, revision, done }
  }

  async #update(): Promise<void> {
    if (this.#state && !this.#index.needsRebuild && (await this.#addChanges(this.#state))) return
    await this.#readAll()
  }

  /** False when there are too many changes, or when the epoch is another one. */
  async #addChanges(since: IndexState): Promise<boolean> {
    // Restored rows have transaction ids of another cluster, which may be above all of this one. No visible change has one that is not given yet.
    const { rows } = await sql<IndexState & (Row | { id: null })>`/*prepared product_index_changes*/
      select m.*, c.* from (select ${state}) m
      left join lateral (select ${columns} from products p
        where p.changed_xid >= ${since.horizon}::xid8 and p.changed_xid < pg_snapshot_xmax(pg_current_snapshot())
        order by p.changed_xid limit ${sql.lit(MAX_CHANGES + 1)}) c on true`.execute(this.#db)
    const { epoch, horizon } = rows[0]!
    if (epoch !== since.epoch || rows.length > MAX_CHANGES) return false
    this.#index.put(rows.filter((row): row is IndexState & Row => row.id !== null).map(toIndexEntry))
    this.#state = { epoch, horizon }
    return true
  }

  async #readAll(): Promise<void> {
    const index = new ProductIndex()
    const begun = (await sql<IndexState>`select ${state}`.execute(this.#db)).rows[0]!
    for (let last: number | undefined = 0; last !== undefined;) {
      const { rows }: { rows: Row[] } = await sql<Row>`
        select ${columns} from products p where p.visible and p.id > ${last} order by p.id limit ${PAGE_ROWS}`.execute(this.#db)
      index.put(rows.map(toIndexEntry))
      last = rows.length < PAGE_ROWS ? undefined : rows.at(-1)?.id
    }
    this.#index = index
    this.#state = begun
  }
}

function toIndexEntry(row: Row): IndexedProduct {
  return {
    id: row.id,
    categoryId: row.category_id,
    ...(row.further_ids.length > 0 ? { furtherIds: row.further_ids } : {}),
    rank: row.availability_rank,
    price: unitPriceAfterDiscount(poisha(row.price_poisha), storedDiscount(row)),
    isVisible: row.visible,
    text: row.search_text,
    textHash: row.text_hash,
    name: searchText([row.name_en, row.name_bn]),
    barcode: row.code === null ? null : foldText(row.code),
    tag: row.tag === null ? null : foldText(row.tag),
    ...(row.is_unique ? { traits: traitsOf(row) } : {}),
  }
}

/** A breed that is named in Bengali alone is known by that name. */
function traitsOf({ weight_grams: weightGrams, breed_en: en, breed_bn: breedBn, coat, teeth, sex }: Row): AnimalTraits {
  return { weightGrams, breed: en || breedBn, breedBn, coat, teeth, sex }
}
