import { expect, test } from 'vitest'
import { codeForms, latinCode } from './latin-code.ts'
import { foldText } from './text.ts'

test.each([
  ['কে-১০১', 'k-101'],
  ['বি-201', 'b-201'],
  ['ক-১০১', 'k-101'],
  ['ব২০১', 'b201'],
  ['এইচ-৭', 'h-7'],
  ['ওয়াই/৭', 'y/7'],
  ['ডব্লিউএক্স-৭', 'wx-7'],
  ['বি-২০১-a', 'b-201-a'],
  ['K-101', null],
  ['২০১', null],
  ['কে', null],
  ['কে-', null],
  ['আঁখ-৫', null],
  ['কে ১০১', null],
  ['', null],
  ['ক'.repeat(5000) + '1', null],
])('the code %j is %j', (typed, code) => expect(latinCode(foldText(typed))).toBe(code))

test.each([
  ['কে-১০১', ['k-101']],
  ['কে ১০১', ['k-101']],
  ['ব২০১', ['b201', 'b-201']],
  ['K101', ['k-101']],
  ['k-101', []],
  ['১০১', []],
  ['আম ৫', []],
  ['', []],
])('the text %j stands for the codes %j', (typed, codes) => expect(codeForms(foldText(typed))).toEqual(codes))
