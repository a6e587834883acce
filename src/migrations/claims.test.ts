import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openEmbeddedDatastore } from '../datastore/embedded/embedded-datastore.ts';
import type { Collection } from '../datastore/port/collection.ts';
import type { Datastore } from '../datastore/port/datastore.ts';
import { unrestricted } from '../datastore/port/read-access.ts';
import { type Migration, migrationDocument } from '../documents/kinds/migration.ts';
import { Unavailable } from '../errors/errors.ts';
import { type Claim, Claims, systemClock } from './claims.ts';

const EVERYTHING = unrestricted('the test looks at the records');
const SETTINGS = { waitTimeout: 0, pollInterval: 0, staleClaimTimeout: 1e9 };
const OTHER = 'e'.repeat(32);

describe('a claim', () => {
  let datastore: Datastore;
  before(async () => {
    datastore = await openEmbeddedDatastore({ folder: 'memory', prefix: 'test' });
  });
  after(() => datastore.close());

  const records = () => datastore.collection(migrationDocument);

  /** A claim whose writes are preceded by an interfering write. */
  async function claimOf(id: string, interfere: (name: string) => Promise<unknown>): Promise<Claim> {
    let claimed = false;
    const collection = new Proxy<Collection<Migration>>(records(), {
      get(target, name) {
        const method = Reflect.get(target, name) as (...given: unknown[]) => Promise<unknown>;
        if (name !== 'save' && name !== 'delete') return method.bind(target);
        return async (...given: unknown[]) => {
          if (claimed) await interfere(name);
          return method.apply(target, given);
        };
      },
    });
    const signal = new AbortController().signal;
    const claim = await new Claims(collection, SETTINGS, systemClock).acquire(id, { onWait() {}, signal });
    assert.ok('claimId' in claim);
    claimed = true;
    return claim;
  }

  const replace = (id: string) =>
    records().save(id, {
      migration_id: id,
      status: 'running',
      started_at: new Date().toISOString(),
      claim_id: OTHER,
    });

  it('is not deleted when it is replaced just before', async () => {
    const claim = await claimOf('a', () => replace('a'));
    await assert.rejects(claim.release(), { code: 'migration_claim_lost' });
    assert.equal((await records().get('a', EVERYTHING))?.claim_id, OTHER);
  });

  it('is not marked when it is replaced just before', async () => {
    const claim = await claimOf('b', () => replace('b'));
    await assert.rejects(claim.markApplied(1), { code: 'migration_claim_lost' });
    assert.equal((await records().get('b', EVERYTHING))?.status, 'running');
  });

  it('is released at the second attempt when something else touched the record', async () => {
    let touched = 0;
    const claim = await claimOf('c', async () => {
      touched += 1;
      if (touched > 1) return;
      await records().update('c', [{ op: 'set', path: 'note', value: 'touched' }]);
    });
    await claim.release();
    assert.equal(touched, 2);
    assert.equal(await records().get('c', EVERYTHING), undefined);
  });

  it('is left after two attempts', async () => {
    let touched = 0;
    const claim = await claimOf('d', async () => {
      touched += 1;
      await records().update('d', [{ op: 'set', path: 'note', value: touched }]);
    });
    await assert.rejects(claim.release(), { code: 'migration_claim_lost' });
    assert.equal(touched, 2);
    assert.equal((await records().get('d', EVERYTHING))?.claim_id, claim.claimId);
  });

  it('passes on what the datastore refuses for another reason', async () => {
    const gone = new Unavailable('datastore_unavailable', 'The datastore does not answer.');
    const claim = await claimOf('e', () => Promise.reject(gone));
    await assert.rejects(claim.markApplied(1), gone);
    await assert.rejects(claim.release(), gone);
  });

  it('is given up when the answer to the claiming is lost, so that no one waits for it', async () => {
    const lossy = losingAnswers(records(), () => 'save');
    const signal = new AbortController().signal;
    const acquired = new Claims(lossy, SETTINGS, systemClock).acquire('lost-claim', { onWait() {}, signal });
    await assert.rejects(acquired, { code: 'datastore_unavailable' });
    assert.equal(await records().get('lost-claim', EVERYTHING), undefined);
  });

  it('is marked when only the answer to the marking is lost', async () => {
    const signal = new AbortController().signal;
    let lost = '';
    const lossy = losingAnswers(records(), () => lost);
    const claim = await new Claims(lossy, SETTINGS, systemClock).acquire('lost-mark', { onWait() {}, signal });
    assert.ok('claimId' in claim);
    lost = 'save';
    await claim.markApplied(3);
    assert.equal((await records().get('lost-mark', EVERYTHING))?.affected_documents, 3);
  });
});

/** Does what it is told to, and says that it could not. */
function losingAnswers(records: Collection<Migration>, lost: () => string): Collection<Migration> {
  return new Proxy(records, {
    get(target, name) {
      const method = Reflect.get(target, name) as (...given: unknown[]) => Promise<unknown>;
      return async (...given: unknown[]) => {
        const answer = await method.apply(target, given);
        if (name !== lost()) return answer;
        throw new Unavailable('datastore_unavailable', 'The search engine gave no answer.');
      };
    },
  });
}
