import { betterAuth } from 'better-auth';
import { getMigrations } from 'better-auth/db/migration';
import { expect, it } from 'vitest';
import { onBoth } from './store-under-test';

onBoth('the database of better-auth', (place) => {
  it('takes its tables, a sign-up and a sign-in, and survives a second migration', async () => {
    const store = (await place.fresh()).open(() => Date.now());
    await store.start();
    const options = {
      database: store.authDatabase,
      secret: 's'.repeat(40),
      baseURL: 'http://127.0.0.1:3000',
      emailAndPassword: { enabled: true },
      logger: { disabled: true },
    };
    const { runMigrations } = await getMigrations(options);
    await runMigrations();
    const again = await getMigrations(options);
    expect([again.toBeCreated, again.toBeAdded]).toEqual([[], []]);
    const auth = betterAuth(options);
    const body = { email: 'ann@example.org', password: 'correct horse', name: 'Ann' };
    await auth.api.signUpEmail({ body });
    const { user } = await auth.api.signInEmail({ body });
    expect(user).toMatchObject({ email: 'ann@example.org', emailVerified: false });
    await expect(
      auth.api.signInEmail({ body: { ...body, password: 'wrong horse' } }),
    ).rejects.toThrow();
  });
});
