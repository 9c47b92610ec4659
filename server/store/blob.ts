import { createHash } from 'node:crypto';
import { bytesFromText, type Bytes } from '@/lib/protocol/bytes';

const DIGEST_BYTES = 32;
const ASCII = /^[\x00-\x7f]*$/;
const utf8 = new TextDecoder();

/** Bytes as the database takes them. */
export const toBlob = (bytes: Bytes): Uint8Array => Buffer.from(bytes, 'latin1');

/** Bytes as the database gives them: a Buffer, or a Uint8Array that came from the worker. */
export const fromBlob = (blob: Uint8Array): Bytes =>
  Buffer.from(blob.buffer, blob.byteOffset, blob.byteLength).toString('latin1');

/** UTF-8 of a text, as a binary string. */
export const textToBytes = (text: string): Bytes => (ASCII.test(text) ? text : bytesFromText(text));

export const textFromBlob = (blob: Uint8Array): string => utf8.decode(blob);

export const sha256 = (bytes: Bytes): Uint8Array =>
  createHash('sha256').update(bytes, 'latin1').digest();

/** What a unique index holds: short values themselves, the SHA-256 of longer ones. Never ambiguous, as only a hash has 32 bytes. */
export const digestOf = (bytes: Bytes): Uint8Array =>
  bytes.length < DIGEST_BYTES ? toBlob(bytes) : sha256(bytes);

/** The column `bytes` beside a digest: null where the digest says it all. */
export const bytesBeside = (bytes: Bytes): Uint8Array | null =>
  bytes.length < DIGEST_BYTES ? null : toBlob(bytes);
