import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { schemaText } from './schema-text.ts'

const { pool } = await testDb()

it('db/schema.sql is what the migrations add up to (else: npm run schema)', async () => {
  expect(await schemaText(pool)).toBe(readFileSync('db/schema.sql', 'utf8'))
})

it('every function says what it is for (else: comment on function NAME is …)', async () => {
  const { rows } = await pool.query<{ name: string }>(`select p.proname as name from pg_proc p
    where p.pronamespace = 'public'::regnamespace and obj_description(p.oid, 'pg_proc') is null
      and not exists (select 1 from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')`)
  expect(rows).toEqual([])
})

it('shows every kind of thing', async () => {
  await pool.query(`
    create type breed as enum ('Brahma', 'Sahiwal');
    create domain ear_tag as text check (value ~ '^[0-9]+$');
    create sequence tags start 100;
    create function twice(n int) returns int language sql immutable as $$ select n * 2 $$;
    comment on function twice is 'Two of it.';
    create table zoo (
      id int generated always as identity primary key,
      tag ear_tag not null default nextval('tags'),
      "Odd name" breed,
      doubled int generated always as (id * 2) stored,
      constraint zoo_tag_unique unique (tag)
    );
    create index zoo_named on zoo ("Odd name") where id > 5;
    create view zoo_names as select "Odd name" from zoo;
    comment on column zoo.tag is 'the farm''s own';
  `)
  const text = await schemaText(pool)
  for (const part of [
    `create type breed as enum ('Brahma', 'Sahiwal');`,
    `create domain ear_tag as text CHECK ((VALUE ~ '^[0-9]+$'::text));`,
    `create sequence tags as bigint start 100 increment 1;`,
    `\n-- Two of it.\nCREATE OR REPLACE FUNCTION public.twice(n integer)`,
    `  id integer generated always as identity not null,`,
    `  tag ear_tag default nextval('tags'::regclass) not null,`,
    `  "Odd name" breed,`,
    `  doubled integer generated always as ((id * 2)) stored,`,
    `  constraint zoo_pkey PRIMARY KEY (id),`,
    `  constraint zoo_tag_unique UNIQUE (tag)\n);`,
    `CREATE INDEX zoo_named ON public.zoo USING btree ("Odd name") WHERE (id > 5);`,
    `create view zoo_names as`,
    `comment on column zoo.tag is 'the farm''s own';`,
  ]) {
    expect(text).toContain(part)
  }
})
