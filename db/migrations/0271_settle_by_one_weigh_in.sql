-- A weigh-in may settle several orders, one after the other: the first order was cancelled, and another order has the animal.
alter table settlements drop constraint settlements_pkey, add primary key (weigh_in_id, order_id);

-- The price of an animal of this weight in poisha, null where no tier is low enough: the copy of `liveWeightPrice` for triggers.
create function live_weight_price(category bigint, of_season text, grams integer) returns bigint language sql stable as $$
  select round(grams::numeric * poisha_per_kg / 100000)::bigint * 100 from rate_tiers
  where category_id = category and season = of_season and from_grams <= grams order by from_grams desc limit 1
$$;

-- A booked animal keeps its price while it is weighed and rates change. Once no order has it, its price is that of its weight again. The
-- price stays where there is no rate, or where it would be below the discount.
create function price_freed_animals() returns trigger language plpgsql as $$
begin
  update products p set price_poisha = n.price
  from (select a.id, live_weight_price(a.category_id, a.season, a.weight_grams) as price from products a
    where a.id in (select product_id from freed) and a.sold_by_live_weight and a.weight_grams is not null) n
  where p.id = n.id and n.price <> p.price_poisha and n.price >= case p.discount_kind when 'fixed' then p.discount_value else 0 end;
  return null;
end $$;

create trigger animal_holds_price after delete on animal_holds referencing old table as freed
  for each statement execute function price_freed_animals();
