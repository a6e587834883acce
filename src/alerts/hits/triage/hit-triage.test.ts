import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { compileQuery } from '../../../datastore/query-language/compile-query.ts';
import { hitDocument } from '../../../documents/kinds/hit.ts';
import { type AlertServices, anActor, openAlertServices } from '../../../testing/alerts/alert-services.ts';
import { applyTransition, readTransitionData } from './hit-triage.ts';
import type { TransitionData, TransitionName } from './triage-transitions.ts';

const ana = anActor();
const low = anActor({ username: 'low', classification: 'UNRESTRICTED' });

let services: AlertServices;
before(async () => {
  services = await openAlertServices();
});
after(() => services.close());

const move = (id: string, transition: TransitionName, data: TransitionData = {}, ifMatch?: string) =>
  applyTransition(services.store, ana, id, transition, data, { ifMatch, visible: 'now' });

describe('a transition', () => {
  it('changes the alert and logs each change with the version before', async () => {
    const { howler } = await services.aHit(ana);
    const before = await services.store.get(ana, howler.id);
    const { document, version } = await move(howler.id, 'assign_to_me');
    assert.deepEqual([document.howler.assignment, document.howler.status], ['ana', 'in-progress']);
    assert.notEqual(version, before.version);
    assert.deepEqual(
      document.howler.log.slice(1).map(({ timestamp: _, ...entry }) => entry),
      [
        ['howler.assignment', 'ana', 'unassigned'],
        ['howler.status', 'in-progress', 'open'],
      ].map(([key, new_value, previous_value]) => ({
        user: 'ana',
        key,
        new_value,
        previous_value,
        previous_version: before.version,
        type: 'set',
      })),
    );
  });

  it('keeps when and why an alert was judged, and takes it away again', async () => {
    const { howler } = await services.aHit(ana);
    const { document: judged } = await move(howler.id, 'assess', { assessment: 'compromise', rationale: 'seen' });
    assert.match(judged.howler.triaged ?? '', /^\d{4}-\d\d-\d\dT/);
    assert.deepEqual([judged.howler.rationale, judged.howler.escalation], ['seen', 'evidence']);
    const { document: reopened } = await move(howler.id, 're_evaluate');
    const { triaged, rationale, assessment, escalation, status } = reopened.howler;
    assert.deepEqual(
      [triaged, rationale, assessment, escalation, status],
      [undefined, undefined, undefined, 'hit', 'in-progress'],
    );
    const query = compileQuery(`howler.id:${howler.id} AND howler.escalation:hit`, hitDocument);
    assert.equal(await services.hitCollection.count({ query }, ana.searchAccess), 1);
  });

  it('takes votes', async () => {
    const { howler } = await services.aHit(ana);
    await move(howler.id, 'vote', { vote: 'benign', email: 'a@x.example' });
    const { document } = await move(howler.id, 'vote', { vote: 'malicious', email: 'a@x.example' });
    assert.deepEqual(document.howler.votes, { benign: [], obscure: [], malicious: ['a@x.example'] });
  });

  it('is refused on a version that is not the present one', async () => {
    const { howler } = await services.aHit(ana);
    const { version: old } = await services.store.get(ana, howler.id);
    const { version } = await move(howler.id, 'assign_to_me', {}, old);
    await assert.rejects(move(howler.id, 'pause', {}, old), { kind: 'conflict', code: 'version_conflict' });
    for (const rubbish of ['rubbish', 'create', '1---1---1---1']) {
      await assert.rejects(move(howler.id, 'pause', {}, rubbish), { code: 'invalid_version' });
    }
    for (const unknown of ['1---', '---1', '1---x', 'x---1---', '-1---1']) {
      const { document, version: present } = await move(howler.id, 'pause', {}, unknown);
      assert.deepEqual([document.howler.status, present], ['in-progress', version]);
      await assert.rejects(move(howler.id, 'resume', {}, unknown), { kind: 'invalid_input' });
    }
    assert.equal((await move(howler.id, 'pause', {}, version)).document.howler.status, 'on-hold');
  });

  it('of two people at once is decided by the first', async () => {
    const { howler } = await services.aHit(ana);
    const { version } = await services.store.get(ana, howler.id);
    const results = await Promise.allSettled([
      move(howler.id, 'assign_to_me', {}, version),
      move(howler.id, 'assess', { assessment: 'recon' }, version),
    ]);
    assert.deepEqual(results.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
  });

  it('does not exist for who may not see the alert', async () => {
    const { howler } = await services.aHit(ana, { classification: 'RESTRICTED' });
    await assert.rejects(applyTransition(services.store, low, howler.id, 'assign_to_me', {}, {}), {
      code: 'hit_missing',
    });
  });
});

describe('the data of a transition', () => {
  it('is text under known keys; nothing else reaches the rules', () => {
    assert.deepEqual(readTransitionData(undefined), {});
    assert.deepEqual(readTransitionData({ assignee: 'bo', rationale: null, hit: { howler: {} }, user: 'x' }), {
      assignee: 'bo',
    });
    for (const data of ['x', 5, [], true]) {
      assert.throws(() => readTransitionData(data), { code: 'invalid_transition_data' });
    }
    assert.throws(() => readTransitionData({ assignee: {} }), { code: 'invalid_transition_data', at: 'data.assignee' });
  });
});
