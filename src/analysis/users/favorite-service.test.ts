import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { DEMO_CLASSIFICATION } from '../../classification/builtin-definitions.ts';
import { loadClassification } from '../../classification/classification.ts';
import { openEmbeddedDatastore } from '../../datastore/embedded/embedded-datastore.ts';
import { userFavoritesDocument } from '../../documents/kinds/user-records.ts';
import { FavoriteService } from './favorite-service.ts';

const LOW = 'UNRESTRICTED';
const HIGH = 'RESTRICTED';

const favorite = (name: string, more: object = {}) => ({
  name,
  query: '*',
  classification: LOW,
  created_by: 'anna',
  ...more,
});

describe('FavoriteService', () => {
  it('keeps queries by page and name, in alphabetical order without regard to case', async (context) => {
    const favorites = await setUp(context);
    for (const name of ['beta', 'Alpha', 'beta']) await favorites.add('anna', 'search', favorite(name), 'otto');
    await favorites.add('anna', 'alert', favorite('beta', { query: 'a:b' }), 'otto');
    const { search, alert, error } = await favorites.list('anna', HIGH);
    assert.deepEqual(names(search), ['Alpha', 'beta']);
    assert.deepEqual(alert, [favorite('beta', { query: 'a:b', created_by: 'otto' })]);
    assert.deepEqual(error, []);
  });

  it('shows those of everyone too, and of two with one name the own', async (context) => {
    const favorites = await setUp(context);
    await favorites.add('__global__', 'search', favorite('both', { query: 'theirs' }), 'ada');
    await favorites.add('__global__', 'search', favorite('shared'), 'ada');
    await favorites.add('anna', 'search', favorite('both', { query: 'own' }), 'anna');
    const { search } = await favorites.list('anna', HIGH);
    assert.deepEqual(names(search), ['both', 'shared']);
    assert.equal(search[0]?.query, 'own');
    assert.deepEqual(names((await favorites.list('__global__', HIGH)).search), ['both', 'shared']);
  });

  it('shows no one what is above their classification', async (context) => {
    const favorites = await setUp(context);
    await favorites.add('__global__', 'search', favorite('high', { classification: HIGH }), 'ada');
    assert.deepEqual(names((await favorites.list('anna', LOW)).search), []);
    assert.deepEqual(names((await favorites.list('anna', HIGH)).search), ['high']);
  });

  it('replaces and removes them', async (context) => {
    const favorites = await setUp(context);
    await favorites.add('anna', 'alert', favorite('old'), 'anna');
    await favorites.replace('anna', { search: [favorite('one'), favorite('two')] });
    assert.deepEqual(names((await favorites.list('anna', HIGH)).alert), []);
    await favorites.remove('anna', 'search', 'one');
    assert.deepEqual(names((await favorites.list('anna', HIGH)).search), ['two']);
    await assert.rejects(favorites.remove('anna', 'search', 'one'), { code: 'favourite_missing' });
    await favorites.delete('anna');
    assert.deepEqual(names((await favorites.list('anna', HIGH)).search), []);
  });

  it('refuses a query over the limit of live ones', async (context) => {
    const favorites = await setUp(context);
    const long = favorite('long', { query: 'x'.repeat(100_001) });
    const refusal = { code: 'query_too_complex', message: /at most 100000 are allowed/ };
    await assert.rejects(favorites.add('anna', 'search', long, 'anna'), refusal);
    await assert.rejects(favorites.replace('anna', { search: [favorite('one'), long] }), refusal);
    assert.deepEqual(names((await favorites.list('anna', HIGH)).search), []);
    await favorites.add('anna', 'search', favorite('long', { query: 'x'.repeat(100_000) }), 'anna');
  });

  it('loses none of many that are added at once', async (context) => {
    const favorites = await setUp(context);
    const all = Array.from({ length: 8 }, (_, number) => `favourite ${number}`);
    await Promise.all(all.map((name) => favorites.add('anna', 'search', favorite(name), 'anna')));
    assert.deepEqual(names((await favorites.list('anna', HIGH)).search), all);
  });

  it('refuses pages and classifications that do not exist', async (context) => {
    const favorites = await setUp(context);
    await assert.rejects(favorites.add('anna', 'nope', favorite('x'), 'anna'), { code: 'unknown_favourite_type' });
    await assert.rejects(favorites.replace('anna', { nope: [] }), { code: 'unknown_favourite_type' });
    const wrong = favorite('x', { classification: 'NO SUCH LEVEL' });
    await assert.rejects(favorites.add('anna', 'search', wrong, 'anna'), { kind: 'invalid_input' });
  });
});

function names(favorites: readonly { readonly name: string }[]): readonly string[] {
  return favorites.map(({ name }) => name);
}

async function setUp(context: TestContext): Promise<FavoriteService> {
  const datastore = await openEmbeddedDatastore({ folder: 'memory', prefix: 'favorites' });
  context.after(() => datastore.close());
  const classification = loadClassification(DEMO_CLASSIFICATION);
  return new FavoriteService(datastore.collection(userFavoritesDocument), classification);
}
