-- What each function of the database is for. db/schema.sql shows it above the function; a test fails when a function has none.
comment on function account_balance is
  'What a customer owes of sales on account: the amounts due above zero.';
comment on function add_store_credit_entry is
  'Before an entry of store credit: gives it to the customer that the account was merged into, and stores the balance after it.';
comment on function advance_catalog_epoch is
  'After products were deleted or truncated: product indexes and POS devices load the whole catalog again.';
comment on function amount_due is
  'The one definition of the amount due. Below zero: a refund is due. An ended order owes nothing.';
comment on function amount_received is
  'The money received for an order less refunds: the ledger without changes of the price.';
comment on function amount_refundable is
  'The most that may be paid back: money received less fees kept and overpayments written off.';
comment on function carry_sms_opt_out is
  'After a phone was changed or an account merged: the opt-out from campaigns holds for the new phone too.';
comment on function check_exchange_sums is
  'At commit: the entries of exchanges in a shift add up to zero.';
comment on function claim_next_sms is
  'Takes the next due SMS and marks it as being sent, within the limits of the day. A skipped SMS is not sent: a repeat, a reminder that was overtaken, an opt-out, or a stopped campaign.';
comment on function claim_sms is
  'claim_next_sms for the previous version, which sends no campaigns.';
comment on function count_deliveries_on is
  'The orders that take a place of a day in a delivery group, counted up to a maximum.';
comment on function count_review is
  'After a published review came, changed or went: the number and the sum of ratings of its product.';
comment on function device_key is
  'The key of a POS sale without its cashier, equal for all cashiers of the device.';
comment on function exceeded_hold_limit is
  'The limit of unpaid animals (of the phone, the browser or the network) that an order would exceed; null for none. taken: holds of earlier orders of the batch.';
comment on function first_delivery_on is
  'The date of the first of two deliveries; null for an order with one.';
comment on function insert_order is
  'insert_orders for one order. It waits for locks.';
comment on function insert_order_with_coupon is
  'Writes an order and the use of its coupon, or neither.';
comment on function insert_order_within_capacity is
  'Writes an order if its delivery days have a place left. An advisory lock for each day and group makes concurrent orders wait.';
comment on function insert_orders is
  'Writes a batch of orders with lines, holds, stock, events, payment attempts and SMS. Answers the id of each by batch_index, or why it was not written.';
comment on function insert_pos_sales is
  'Writes a batch of POS sales through insert_orders, with their payments in the ledger. Answers each by its position. An empty answer: not written, the caller sells with locks.';
comment on function is_over_counter is
  'A POS sale that was handed over at once: it has no delivery.';
comment on function latest_line_delivery_on is
  'The latest delivery date of the lines of an order; null when none has one.';
comment on function line_delivery_on is
  'The delivery date of a line. With two deliveries a line comes with the first one or the last one.';
comment on function live_weight_price is
  'The price of an animal by live weight, in whole taka; null when no rate fits. As liveWeightPrice in features/catalog/products/live-weight-rules.ts.';
comment on function merge_guest_into_account is
  'Gives all rows that name a guest to an account with a phone, and deletes the guest.';
comment on function move_stock is
  'Moves stock: the movements, and with each the count, status and hold reason of the product.';
comment on function next_product_state is
  'Status and hold reason of a product after a movement of stock. features/stock/rules.ts is its copy; a test compares the two.';
comment on function notify_catalog_changed is
  'After a change that shoppers see: every process drops its caches.';
comment on function phonetic_key is
  'A name without vowels and with similar letters folded, equal in Latin and Bengali letters.';
comment on function price_freed_animals is
  'After animals were given back: those sold by live weight get the price of their weight by the current rates.';
comment on function product_search_text is
  'The text by which the admin finds a product: names, codes and breed in lower case with Latin digits.';
comment on function redeem_coupon is
  'Records the use of a coupon by an order. Answers why it is not possible; null when it was recorded.';
comment on function sale_of_other_cashier is
  'The order of a sale that another cashier has recorded under the same key of the device; null for none.';
comment on function set_low_stock is
  'Before a change of the count: whether the product has few units left.';
comment on function set_order_delivery is
  'After dated lines were added or removed: the latest date of the order''s lines.';
comment on function set_product_derived_columns is
  'Before a product is inserted or changed: search text, rank, version and what else follows from its columns.';
comment on function set_reopened_delivery is
  'Before an order that was delivered or has ended becomes open again: its lines get the delivery dates that the products have now.';
comment on function set_sold_out_as is
  'Before a change of the status: remembers that a product was pre-booked when it ran out.';
comment on function stock_changes is
  'By product, how many thousandths an order needs more or less than it holds.';
comment on function store_credit_balance is
  'The store credit of a customer, in poisha.';
comment on function sync_coupon_uses is
  'At commit: a cancelled order frees the use of its coupon, a reopened one takes it again if one is left.';
comment on function sync_order_stock is
  'Brings the reservations of an order to the given lines; an empty list releases all. Answers the products that are not available; null when the stock was moved.';
comment on function takes_delivery_place is
  'Whether an order counts for the capacity of its delivery day.';
comment on function touch_products_of_changed_categories is
  'After further categories changed: the product index reads the products again.';
comment on function touch_products_of_changed_media is
  'After pictures or videos changed: their products count as changed.';
comment on function update_ledger_balance is
  'After ledger entries were added: the sums in their orders.';
comment on function update_order_delivery_dates is
  'After the delivery date of a product changed: moves the orders that are not sent. Of an animal all, of other products those promised for a day ahead.';
comment on function use_merged_customer is
  'Before an order is inserted: gives it to the customer that its own was merged into, and one of an erased customer to the customer of its phone.';
comment on function watch_product_columns is
  'Creates the triggers for changes of products again, from the columns of the table. Each migration that adds a product column ends with it.';
