import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { Coordination } from '../../coordination/coordination.ts';
import { openEmbeddedCoordination } from '../../coordination/embedded/embedded-coordination.ts';
import type { Actor } from '../../identity/actor.ts';
import { anActor, anAdministrator, testClassification } from '../../testing/alerts/alert-services.ts';
import { until } from '../../testing/until.ts';
import { LiveDelivery, type LiveListener, liveEvents } from './live-events.ts';

type Frame = Readonly<Record<string, unknown>>;

class Ear implements LiveListener {
  readonly actor: Actor;
  readonly bytes: Buffer[] = [];
  viewing: string | undefined;
  isHeld = false;
  holds = 0;

  constructor(actor: Actor) {
    this.actor = actor;
  }

  isViewing(id: unknown): boolean {
    return id === this.viewing;
  }

  send(frame: Buffer): void {
    this.bytes.push(frame);
  }

  hold(): void {
    this.isHeld = true;
    this.holds += 1;
  }

  release(): void {
    this.isHeld = false;
  }

  get frames(): readonly Frame[] {
    return this.bytes.map((frame) => JSON.parse(frame.toString()) as Frame);
  }
}

const types = liveEvents(testClassification);
const SECRET = 'RESTRICTED//SUPER USER';
/** A payload of each type about a record of this classification. */
const PAYLOADS: Readonly<Record<keyof typeof types, (classification: string) => object>> = {
  hits: (classification) => ({ hit: { classification, howler: { id: 'h' } }, version: '1---1' }),
  cases: (classification) => ({ case: { classification, case_id: 'c', items: [] } }),
  action: () => ({ request_id: 'r', processed: 1, total: 3 }),
  broadcast: (classification) => ({ data: { id: 'h', action: 'typing', username: 'uma' }, classification, by: 'uma' }),
  viewers_update: (classification) => ({ data: { id: 'h', viewers: ['uma', 'zoe'] }, classification, by: 'uma' }),
};
type EventType = keyof typeof types;
const TYPES = Object.keys(types) as EventType[];
/** Progress of a run has no record. */
const CLASSIFIED = TYPES.filter((type) => type !== 'action');

describe('live events', () => {
  let coordination: Coordination;
  let delivery: LiveDelivery;
  const low = () => new Ear(anActor({ username: 'lou', classification: 'UNRESTRICTED' }));
  const high = () => new Ear(anActor({ username: 'ana', classification: SECRET }));

  before(async () => {
    coordination = await openEmbeddedCoordination({ folder: 'memory' });
  });
  beforeEach(async () => {
    delivery = new LiveDelivery({ events: coordination.events, types });
    await delivery.subscribe();
  });
  after(() => coordination.close());

  const publish = async (type: EventType, payload: object, ...ears: readonly Ear[]) => {
    const witness = new Ear(anAdministrator());
    for (const ear of [...ears, witness]) delivery.add(ear);
    await coordination.events.publish(types[type].channel, payload);
    await until('the event arrives', () => witness.bytes.length > 0);
    for (const ear of [...ears, witness]) delivery.remove(ear);
    return witness;
  };

  for (const type of CLASSIFIED) {
    it(`of the type ${type} reach those who may see the record, and no others`, async () => {
      const [lou, ana] = [low(), high()];
      await publish(type, PAYLOADS[type](SECRET), lou, ana);
      assert.equal(lou.frames.length, 0);
      assert.equal(ana.frames.length, 1);
      const root = await publish(type, PAYLOADS[type]('UNRESTRICTED'), lou, ana);
      assert.deepEqual([lou.frames.length, ana.frames.length, root.frames.length], [1, 2, 1]);
      const { error, status, message, type: told } = lou.frames[0] ?? {};
      assert.deepEqual([error, status, message, told], [false, 200, '', type]);
    });
  }

  it('about progress reach all as they were sent', async () => {
    const lou = low();
    await publish('action', PAYLOADS.action(SECRET), lou);
    assert.deepEqual(lou.frames, [
      { error: false, status: 200, message: '', type: 'action', request_id: 'r', processed: 1, total: 3 },
    ]);
  });

  it('show users what they do to a hidden record, and nothing of others', async () => {
    const uma = () => new Ear(anActor({ username: 'uma', classification: 'UNRESTRICTED' }));
    const [typing, viewing] = [uma(), uma()];
    await publish('broadcast', PAYLOADS.broadcast(SECRET), typing);
    assert.deepEqual(typing.frames[0]?.event, { id: 'h', action: 'typing', username: 'uma' });
    await publish('viewers_update', PAYLOADS.viewers_update(SECRET), viewing);
    assert.deepEqual(viewing.frames[0]?.viewers, ['uma']);
  });

  it('leave out the items of a case that each listener may not see, in any order of listeners', async () => {
    const items = ['UNRESTRICTED', 'RESTRICTED', SECRET].map((classification) => ({
      id: classification,
      classification,
    }));
    const payload = { case: { classification: 'UNRESTRICTED', case_id: 'c', items } };
    const middle = new Ear(anActor());
    const ears = [low(), high(), middle, low(), high()];
    await publish('cases', payload, ...ears);
    type Shown = { readonly items: readonly { readonly id: string }[] } | undefined;
    const seen = ears.map(({ frames }) => (frames[0]?.case as Shown)?.items.map(({ id }) => id));
    const all = items.map(({ id }) => id);
    assert.deepEqual(seen, [all.slice(0, 1), all, all.slice(0, 2), all.slice(0, 1), all]);
  });

  it('filter items for administrators, too, who see every case', async () => {
    const root = new Ear(anActor({ username: 'root', classification: 'UNRESTRICTED', roles: new Set(['admin']) }));
    const payload = { case: { classification: SECRET, case_id: 'c', items: [{ id: 'i', classification: SECRET }] } };
    await publish('cases', payload, root);
    assert.deepEqual(root.frames[0]?.case, { classification: SECRET, case_id: 'c', items: [] });
  });

  it('of overwrites by tools reach those who look at the record', async () => {
    const [looking, other, hidden] = [high(), high(), low()];
    for (const ear of [looking, hidden]) ear.viewing = 'h';
    const payload = { ...PAYLOADS.hits(SECRET), audience: 'viewers' };
    for (const ear of [looking, other, hidden]) delivery.add(ear);
    await coordination.events.publish(types.hits.channel, payload);
    await until('the event arrives', () => looking.bytes.length > 0);
    assert.deepEqual([looking.frames.length, other.frames.length, hidden.frames.length], [1, 0, 0]);
    assert.ok(!('audience' in (looking.frames[0] ?? {})));
  });

  it('are written once for listeners of the same clearance', async () => {
    const ears = [low(), low(), high(), high()];
    await publish('cases', PAYLOADS.cases('UNRESTRICTED'), ...ears);
    const [first, second, third, fourth] = ears.map(({ bytes }) => bytes[0]);
    assert.ok(first === second && third === fourth && first !== undefined);
  });

  it('are written at once when they are rare, and together when they are many', async () => {
    const [staying, leaving] = [low(), low()];
    delivery.add(staying);
    delivery.add(leaving);
    await coordination.events.publish(types.action.channel, { at: 0 });
    await until('the first arrives', () => staying.bytes.length === 1);
    assert.equal(staying.holds, 0);
    for (let at = 1; at < 5; at += 1) await coordination.events.publish(types.action.channel, { at });
    await until('the others arrive', () => staying.bytes.length === 5);
    assert.equal(staying.holds, 1);
    delivery.remove(leaving);
    assert.equal(leaving.isHeld, false);
    await until('they are released', () => !staying.isHeld);
  });

  it('stay in order, and end for a listener who left', async () => {
    const [staying, leaving] = [low(), low()];
    delivery.add(staying);
    delivery.add(leaving);
    for (let at = 0; at < 10; at += 1) {
      const type = at % 2 === 0 ? 'action' : 'viewers_update';
      await coordination.events.publish(types[type].channel, type === 'action' ? { at } : { data: { at } });
    }
    await until('all arrive', () => staying.frames.length === 10);
    assert.deepEqual(
      staying.frames.map(({ at }) => at),
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
    );
    delivery.remove(leaving);
    await coordination.events.publish(types.action.channel, {});
    await until('the next arrives', () => staying.frames.length === 11);
    assert.equal(leaving.frames.length, 10);
  });

  it('of unusable payloads are ignored', async () => {
    const lou = low();
    delivery.add(lou);
    for (const type of TYPES) {
      for (const payload of [null, 5, 'x', [1], {}, { hit: 1 }, { case: [] }, { data: 5 }]) {
        await coordination.events.publish(types[type].channel, payload);
      }
    }
    await coordination.events.publish('alerts.events.unknown', { a: 1 });
    await coordination.events.publish(types.action.channel, { last: true });
    await until('the last arrives', () => lou.frames.some(({ last }) => last === true));
    delivery.remove(lou);
  });
});
