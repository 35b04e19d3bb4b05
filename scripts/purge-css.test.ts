import { expect, test } from 'vitest'
import { classCandidates, purgeCss, unlayerCss } from './purge-css.ts'

const used = (css: string, ...scripts: string[]) => purgeCss(css, classCandidates(scripts))

test.each([
  ['a class that is named', '.flex{display:flex}', 'className:"flex grow"', '.flex{display:flex}'],
  ['a class that is not', '.flex{display:flex}', 'className:"grid"', ''],
  ['a part of a word is no class', '.flex{display:flex}', '"inline-flex"', ''],
  ['an escaped class', String.raw`.sm\:p-0\.5:hover{padding:0}`, '`sm:p-0.5`', String.raw`.sm\:p-0\.5:hover{padding:0}`],
  [
    'brackets and commas',
    String.raw`.w-\[min\(92vw\,2rem\)\]{width:2rem}`,
    '"w-[min(92vw,2rem)]"',
    String.raw`.w-\[min\(92vw\,2rem\)\]{width:2rem}`,
  ],
  ['an escaped class of another page', String.raw`.sm\:p-0\.5{padding:0}`, '"p-0.5"', ''],
  ['the beginning of a template', '.btn-wait{color:red}.bar-wait{color:red}', '`btn btn-${kind}`', '.btn-wait{color:red}'],
  ['elements and attributes', 'a:hover{color:red}[hidden]{display:none}', '', 'a:hover{color:red}[hidden]{display:none}'],
  ['one selector of several', '.a,.b{top:0}', '"b"', '.a,.b{top:0}'],
  ['all classes of a selector', '.a .b{top:0}', '"a"', ''],
  ['not what is excluded', '.a:not(.b){top:0}', '"a"', '.a:not(.b){top:0}'],
  ['what stands alone in :where()', ':where(.space-y>:not(:last-child)){top:0}', '"a"', ''],
  ['a choice in :is()', '.a:is(.b,.c){top:0}', '"a"', '.a:is(.b,.c){top:0}'],
  ['conditions', '@media (width>=40rem){.a{top:0}.b{top:1px}}', '"a"', '@media (width>=40rem){.a{top:0}}'],
  ['empty conditions', '@media print{.b{top:1px}}', '"a"', ''],
  ['the order of layers', '@layer theme,base;@layer base{.b{top:0}}', '', '@layer theme,base;@layer base{}'],
  ['braces in strings', '.a:before{content:"}"}.b{top:0}', '"a"', '.a:before{content:"}"}'],
  ['comments', '/*! a } comment */.a{top:0}', '"a"', '.a{top:0}'],
  ['fonts and movements', '@font-face{src:url(a;b)}@keyframes x{to{top:0}}', '', '@font-face{src:url(a;b)}@keyframes x{to{top:0}}'],
  [
    'properties that are read',
    '@property --p{syntax:"*"}@property --q{syntax:"*"}.a{top:var(--p)}',
    '"a"',
    '@property --p{syntax:"*"}.a{top:var(--p)}',
  ],
  ['nested rules', '.a{top:0;&:hover{top:1px}}.b{&:hover{top:1px}}', '"a"', '.a{top:0;&:hover{top:1px}}'],
])('%s', (_, css, script, purged) => {
  expect(used(css, script)).toBe(purged)
})

test.each([
  ['layers in the order of their names', '@layer a,b;@layer b{.b{top:0}}@layer a{.a{top:0}}', '.a{top:0}.b{top:0}'],
  ['a layer in parts', '@layer a{.a{top:0}}@layer b{.b{top:0}}@layer a{.c{top:0}}', '.a{top:0}.c{top:0}.b{top:0}'],
  ['what is in no layer comes last, as it wins', '.x{top:0}@layer a{.a{top:0}}', '.a{top:0}.x{top:0}'],
  ['conditions stay', '@layer a{@media print{.a{top:0}}}', '@media print{.a{top:0}}'],
])('without layers: %s', (_, css, unlayered) => {
  expect(unlayerCss(css)).toBe(unlayered)
})
