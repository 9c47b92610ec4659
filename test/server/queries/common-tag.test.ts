import { expect, it } from 'vitest';
import { withCommonTag } from '@/server/queries/common-tag';

it.each([
  [['order:42', 'stock:42'], ['order:{42}', 'stock:{42}'], 'what they share'],
  [['account:1', 'account:2'], ['{account}:1', '{account}:2'], 'a word, where no id is shared'],
  [['shop:order:42', 'shop:stock:42'], ['shop:order:{42}', 'shop:stock:{42}'], 'the id first'],
  [['a42:x:42', 'b:42'], ['a42:x:{42}', 'b:{42}'], 'whole parts only'],
  [['order:1', 'user:7'], ['{locks}:order:1', '{locks}:user:7'], 'one for all, if nothing is'],
  [['{a}:1', '{b}:1'], ['a:{1}', 'b:{1}'], 'another than tags that differ'],
])('%j becomes %j: the tag is %s', (names, expected) =>
  expect(withCommonTag(names)).toEqual(expected),
);
