import { expect, test } from 'vitest';
import { openApiDocument } from '@/lib/protocol/openapi';

test('the OpenAPI document describes every read and act of the contract', () => {
  const document = openApiDocument();
  const paths = Object.keys(document['paths'] as object);
  expect(paths).toEqual(
    expect.arrayContaining([
      '/targets',
      '/locks',
      '/locks/{target}/{db}/{keyB64}',
      '/locks/{target}/{db}/{keyB64}/release',
      '/alerts/{id}/acknowledge',
      '/audit',
    ]),
  );
  expect(JSON.parse(JSON.stringify(document))).toEqual(document);
});
