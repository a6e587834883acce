import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { Hit } from '../../../documents/kinds/hit.ts';
import { type ActionServices, aRunner, openActionServices } from '../../../testing/alerts/action-services.ts';
import { anActor } from '../../../testing/alerts/alert-services.ts';
import { ACTIONS_CHANNEL } from '../../event-publisher.ts';

const ana = anActor();
const rae = aRunner();

describe('the operation transition', () => {
  let opened: ActionServices;
  beforeEach(async () => {
    opened = await openActionServices();
  });
  afterEach(() => opened.close());

  const run = async (given: object, actor = rae) => {
    const outcomes = await opened.run(actor, 'transition', given);
    return outcomes.map(({ outcome, title }) => [outcome, title]);
  };
  const stored = async ({ howler }: Hit): Promise<Hit['howler']> =>
    (await opened.services.store.get(ana, howler.id)).document.howler;

  it('makes the transition as if it were done by hand, and passes over alerts of another status', async () => {
    const open = await opened.services.aHit(ana);
    const held = await opened.services.aHit(ana, { 'howler.status': 'on-hold' });
    const outcomes = await opened.run(rae, 'transition', { status: 'open', transition: 'Assign-To-Me' });
    assert.deepEqual(
      outcomes.map(({ outcome, title, query }) => [outcome, title, query]),
      [
        ['skipped', 'Skipped 1 hits', '((*:*) AND -howler.status:open)'],
        ['success', 'Transition Executed Successfully', `(howler.id:(${open.howler.id}))`],
      ],
    );
    const { status, assignment, log } = await stored(open);
    assert.deepEqual([status, assignment, log.at(-1)?.user], ['in-progress', 'rae', 'rae']);
    assert.equal((await stored(held)).status, 'on-hold');
  });

  it('hands over what the transition needs', async () => {
    const hit = await opened.services.aHit(ana);
    await run({ status: 'open', transition: 'assess', assessment: 'recon', rationale: 'seen', assignee: 'ben' });
    const { status, escalation, assessment, rationale, assignment } = await stored(hit);
    assert.deepEqual(
      [status, escalation, assessment, rationale, assignment],
      ['resolved', 'evidence', 'recon', 'seen', 'ben'],
    );
    await run({ status: 'resolved', transition: 'vote', vote: 'benign', email: 'rae@triad.example' });
    assert.deepEqual((await stored(hit)).votes?.benign, ['rae@triad.example']);
  });

  it('tells together which alerts refuse it for the same reason, and continues', async () => {
    const own = await opened.services.aHit(ana, { 'howler.assignment': 'rae' });
    const others = [await opened.services.aHit(ana), await opened.services.aHit(ana)];
    const outcomes = await opened.run(rae, 'transition', { status: 'open', transition: 'release' });
    assert.deepEqual(
      outcomes.map(({ outcome, title }) => [outcome, title]),
      [
        ['error', 'An error occurred while processing.'],
        ['success', 'Transition Executed Successfully'],
      ],
    );
    for (const { howler } of others) assert.ok(outcomes[0]?.query.includes(`(howler.id:(${howler.id}))`));
    assert.equal((await stored(own)).assignment, 'unassigned');
  });

  it('is refused without a status or a known transition, and skipped without alerts', async () => {
    assert.deepEqual(await run({ transition: 'start' }), [['error', 'Missing Status']]);
    assert.deepEqual(await run({ status: 'open' }), [['error', 'Missing Transition']]);
    assert.deepEqual(await run({ status: 'open', transition: 'start' }), [['skipped', 'No matching hits']]);
    await opened.services.aHit(ana);
    assert.deepEqual(await run({ status: 'weird OR open', transition: 'start' }), [['skipped', 'No matching hits']]);
    assert.deepEqual(await run({ status: 'open', transition: 'nothing' }), [['error', 'Invalid Transition']]);
    assert.deepEqual(await run({ status: 'open', transition: 'assess', assessment: [] }), [
      ['error', 'Failed to Execute'],
    ]);
  });

  it('counts only the alerts of the status against the limit, and tells every tenth', async () => {
    const told: unknown[] = [];
    const end = await opened.services.coordination.events.subscribe(ACTIONS_CHANNEL, (_, payload) =>
      told.push(payload),
    );
    for (let index = 0; index < 11; index += 1) {
      await opened.services.aHit(ana, index === 0 ? { 'howler.status': 'on-hold' } : {});
    }
    const wanted = { status: 'open', transition: 'assign_to_me' };
    assert.deepEqual((await run(wanted)).at(-1), ['success', 'Transition Executed Successfully']);
    await end();
    assert.deepEqual(told, [{ request_id: 'test', processed: 10, total: 10 }]);
    await opened.services.aHit(ana, { 'howler.status': 'in-progress' });
    assert.deepEqual(await run({ ...wanted, status: 'in-progress' }), [['error', 'Hit limit exceeded']]);
  });
});
