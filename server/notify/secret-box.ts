import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const VERSION = 'v1';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;
const PURPOSE = 'lockscope notify secrets v1';

/** Seals and opens secrets that lie in the database. */
export interface SecretBox {
  /** `v1.` and base64url of nonce, tag and text under AES-256-GCM. `owner` is bound to it: what is sealed for one opens for no other. */
  seal: (secret: string, owner: string) => string;
  /** Null when it is not of this key, of this owner, or was changed. */
  open: (sealed: string, owner: string) => string | null;
}

/** The key is derived from `secret` by HKDF-SHA-256 (RFC 5869). */
export function createSecretBox(secret: string): SecretBox {
  const key = Buffer.from(hkdfSync('sha256', secret, '', PURPOSE, KEY_BYTES));
  return {
    seal: (plain, owner) => {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(owner));
      const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      const sealed = Buffer.concat([nonce, cipher.getAuthTag(), text]);
      return `${VERSION}.${sealed.toString('base64url')}`;
    },
    open: (sealed, owner) => {
      const [version, body] = sealed.split('.');
      const bytes = Buffer.from(body ?? '', 'base64url');
      if (version !== VERSION || bytes.length < NONCE_BYTES + TAG_BYTES) return null;
      try {
        const nonce = bytes.subarray(0, NONCE_BYTES);
        const decipher = createDecipheriv('aes-256-gcm', key, nonce)
          .setAAD(Buffer.from(owner))
          .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
        const text = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
        return Buffer.concat([text, decipher.final()]).toString('utf8');
      } catch {
        // Another key or a changed text: the caller says that the secret is to be given anew.
        return null;
      }
    },
  };
}
