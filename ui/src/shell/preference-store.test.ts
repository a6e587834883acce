import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiProblem } from '../api/problem.ts';
import { PreferenceStore, type Preferences } from './preference-store.ts';

const ADDRESS = 'http://triad.test/session/preferences';

/** A server that keeps preferences with a version, and can be away. */
class Keeper {
  kept: Preferences;
  version = 1;
  /** Status of the next requests; 0: no answer. */
  refusal: number | undefined;
  readonly writes: { readonly body: Preferences; readonly ifMatch: string | null }[] = [];
  /** Called before an answer to a write, as another window would write. */
  meanwhile: (() => void) | undefined;

  constructor(kept: Preferences = {}) {
    this.kept = kept;
  }

  readonly send = async (request: Request): Promise<Response> => {
    if (this.refusal !== undefined) throw new ApiProblem('Refused.', { status: this.refusal });
    if (request.method === 'PUT') await this.#write(request);
    return Response.json(this.kept, { headers: { etag: `"${this.version}"` } });
  };

  async #write(request: Request): Promise<void> {
    const body = (await request.json()) as Preferences;
    const ifMatch = request.headers.get('if-match');
    this.meanwhile?.();
    this.meanwhile = undefined;
    if (ifMatch !== null && ifMatch !== `"${this.version}"`) throw new ApiProblem('Conflict.', { status: 409 });
    this.writes.push({ body, ifMatch });
    this.kept = body;
    this.version += 1;
  }
}

function open(keeper: Keeper) {
  return new PreferenceStore({ send: keeper.send, address: ADDRESS, delay: 5, retryDelay: 10 });
}

const later = (milliseconds = 80) => new Promise((resolve) => setTimeout(resolve, milliseconds));

describe('preferences', () => {
  it('are written a moment after the last change, to the version that was read', async () => {
    const keeper = new Keeper({ theme: 'dark' });
    const store = open(keeper);
    await store.load();
    store.set({ density: 'comfortable' });
    store.set({ timeZone: 'utc' });
    assert.deepEqual(store.read(), { theme: 'dark', density: 'comfortable', timeZone: 'utc' });
    await later();
    assert.deepEqual(keeper.writes, [{ body: store.read(), ifMatch: '"1"' }]);
  });

  it('that were not read are not replaced: the changes wait until they are', async () => {
    const keeper = new Keeper({ theme: 'dark', keys: { singleKeys: false, changed: {} }, pages: { alerts: 1 } });
    const store = open(keeper);
    keeper.refusal = 503;
    await assert.rejects(store.load(), { status: 503 });
    store.set({ density: 'comfortable' });
    store.setPage('cases', 2);
    await later();
    assert.deepEqual([store.isLoaded, keeper.writes], [false, []]);
    assert.equal(store.read().density, 'comfortable', 'the window has them at once');
    keeper.refusal = undefined;
    await later(200);
    const { body, ifMatch } = keeper.writes[0] ?? {};
    assert.equal(ifMatch, '"1"');
    assert.deepEqual(body, {
      ...{ theme: 'dark', keys: { singleKeys: false, changed: {} }, density: 'comfortable' },
      pages: { alerts: 1, cases: 2 },
    });
    assert.deepEqual(store.read(), body);
  });

  it('of another window stay where it changed other members, of pages too', async () => {
    const keeper = new Keeper({ pages: { alerts: 'old' } });
    const store = open(keeper);
    await store.load();
    keeper.meanwhile = () => {
      keeper.kept = { theme: 'light', pages: { alerts: 'theirs', home: 'theirs' } };
      keeper.version = 7;
    };
    store.setPage('alerts', 'mine');
    await later();
    assert.deepEqual(keeper.kept, { theme: 'light', pages: { alerts: 'mine', home: 'theirs' } });
    assert.deepEqual(store.read(), keeper.kept);
    assert.equal(keeper.writes.at(-1)?.ifMatch, '"7"');
  });

  it('are written when a server that was away is back, with what came meanwhile', async () => {
    const keeper = new Keeper();
    const store = open(keeper);
    await store.load();
    keeper.refusal = 0;
    store.set({ theme: 'dark', density: 'compact' });
    await store.flush();
    store.set({ theme: 'light' });
    keeper.refusal = undefined;
    await later();
    assert.deepEqual(keeper.kept, { theme: 'light', density: 'compact' });
    assert.equal(keeper.writes.length, 1);
  });

  it('that the session may not write wait for the next change, without an error', async () => {
    const keeper = new Keeper();
    const store = open(keeper);
    await store.load();
    keeper.refusal = 403;
    store.set({ theme: 'dark' });
    await store.flush();
    await later();
    keeper.refusal = undefined;
    await later();
    assert.deepEqual(keeper.writes, [], 'a refusal is not repeated');
    store.set({ copy: 'plain' });
    await later();
    assert.deepEqual(keeper.kept, { theme: 'dark', copy: 'plain' });
  });
});
