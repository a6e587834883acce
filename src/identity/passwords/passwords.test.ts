import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hash as bcryptHash } from '@node-rs/bcrypt';
import { checkPassword, hashPassword, NO_PASSWORD, PasswordVerifier } from './passwords.ts';

const NOTHING = { lower: false, upper: false, number: false, special: false, min_length: 12 };

describe('PasswordVerifier', () => {
  const passwords = new PasswordVerifier();

  it('verifies argon2id, which new passwords get', async () => {
    const hash = await hashPassword('correct-horse-9');
    assert.match(hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    assert.equal(await passwords.verify('correct-horse-9', hash), true);
    assert.equal(await passwords.verify('correct-horse-8', hash), false);
  });

  it('verifies bcrypt of existing records', async () => {
    const hash = await bcryptHash('correct-horse-9', { cost: 4 });
    assert.equal(await passwords.verify('correct-horse-9', hash), true);
    assert.equal(await passwords.verify('correct-horse-8', hash), false);
    // Made by another implementation, in the variant 2b.
    const foreign = '$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy';
    assert.equal(await passwords.verify('password', foreign), false);
  });

  it('verifies nothing without a user, a password or a hash', async () => {
    const hash = await hashPassword('x');
    assert.equal(await passwords.verify('x', undefined), false);
    assert.equal(await passwords.verify('', hash), false);
    assert.equal(await passwords.verify('x'.repeat(2000), await hashPassword('x'.repeat(2000))), false);
    assert.equal(await passwords.verify(NO_PASSWORD, NO_PASSWORD), false);
    assert.equal(await passwords.verify('x', '$argon2id$damaged'), false);
    assert.equal(await passwords.verify('x', '$2b$12$damaged'), false);
  });

  it('spends about the same time on a user who does not exist', async () => {
    const own = new PasswordVerifier();
    for (const hash of [await hashPassword('right'), await bcryptHash('right', { cost: 8 })]) {
      await own.verify('wrong', hash);
      await own.verify('wrong', undefined);
      // The fastest of turns taken by both: other work of the machine slows single turns only.
      let known = Number.POSITIVE_INFINITY;
      let unknown = Number.POSITIVE_INFINITY;
      for (let turn = 0; turn < 12; turn++) {
        known = Math.min(known, await timeOf(() => own.verify('wrong', hash)));
        unknown = Math.min(unknown, await timeOf(() => own.verify('wrong', undefined)));
      }
      assert.ok(unknown > known / 3 && unknown < known * 3, `known ${known} ms, unknown ${unknown} ms`);
    }
  });
});

describe('checkPassword', () => {
  it('asks for length and kinds of characters in the words that clients know', () => {
    assert.doesNotThrow(() => checkPassword('long-enough-pw', NOTHING));
    assert.throws(() => checkPassword('short', NOTHING), {
      code: 'weak_password',
      message: 'Password needs to be at least 12 characters',
    });
    const everything = { lower: true, upper: true, number: true, special: true, min_length: 4 };
    assert.throws(() => checkPassword('aA1é', everything), {
      message:
        'Password needs to be at least 4 characters with the following characteristics: lowercase letters, uppercase letters, numbers, special characters',
    });
    assert.doesNotThrow(() => checkPassword('aA1!', everything));
    assert.doesNotThrow(() => checkPassword('éÉ1…', everything));
    assert.throws(() => checkPassword('x'.repeat(1025), NOTHING), /longer than 1024/);
  });
});

/** Milliseconds. */
async function timeOf(run: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await run();
  return performance.now() - start;
}
