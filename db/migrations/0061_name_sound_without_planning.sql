-- The same sounds as before. A function in SQL is put into every statement that writes a name, and planned anew with each: that was
-- a seventh of what preparing a list of orders cost. Of a name in plain letters most steps have nothing to do.
create or replace function name_sound(name text) returns text
language plpgsql immutable parallel safe as $function$
declare
  sound text := lower(normalize(left(name, 255), NFC));
  is_plain constant boolean := octet_length(sound) = length(sound);
begin
  if not is_plain then
    sound := replace(replace(replace(replace(sound, 'ড়', 'r'), 'ঢ়', 'r'), 'য়', ''), '্য', '');
  end if;
  sound := replace(replace(replace(replace(replace(replace(replace(sound,
    'kh', 'k'), 'gh', 'g'), 'jh', 'j'), 'th', 't'), 'dh', 'd'), 'ph', 'f'), 'bh', 'b');
  if not is_plain then
    sound := regexp_replace(sound, '([সশজদত])্ব', '\1', 'g');
  end if;
  sound := replace(regexp_replace(replace(sound, 'sh', 's'), 'c(?!h)', 'k', 'g'), 'ch', 'c');
  if is_plain then
    sound := translate(sound, 'qvzxaeiouwy', 'kbjs');
  else
    sound := translate(sound,
      'কখগঘঙচছজঝঞটঠডঢণতথদধনপফবভমযরলশষসহৎং' || 'qvzx' || 'aeiouwy' || 'অআইঈউঊঋএঐওঔািীুূৃেৈোৌ্ঃঁ়ৗ',
      'kkggnccjjntdddnttddnpfbbmjrlssshtn' || 'kbjs');
  end if;
  return regexp_replace(regexp_replace(sound, '(\w)\1+', '\1', 'g'), '[^a-z0-9]+', ' ', 'g');
end $function$;
