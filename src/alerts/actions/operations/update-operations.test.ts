import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { Hit } from '../../../documents/kinds/hit.ts';
import { type ActionServices, aRunner, openActionServices } from '../../../testing/alerts/action-services.ts';
import { anActor, anAdministrator } from '../../../testing/alerts/alert-services.ts';

const ana = anActor();
const rae = aRunner();
const root = anAdministrator();

let opened: ActionServices;
beforeEach(async () => {
  opened = await openActionServices();
});
afterEach(() => opened.close());

const run = async (operationId: string, given: object, actor = rae) => {
  const outcomes = await opened.run(actor, operationId, given);
  return outcomes.map(({ outcome, title }) => [outcome, title]);
};
const stored = async ({ howler }: Hit): Promise<Hit['howler']> =>
  (await opened.services.store.get(ana, howler.id)).document.howler;

describe('add_label and remove_label', () => {
  it('change the alerts that they find, without a word in their logs', async () => {
    const hit = await opened.services.aHit(ana, { 'howler.labels.victim': ['v'] });
    const { log } = await stored(hit);
    assert.deepEqual(await run('add_label', { category: 'victim', label: 'x:y "z"' }), [
      ['success', 'Executed Successfully'],
    ]);
    assert.deepEqual((await stored(hit)).labels?.victim, ['v', 'x:y "z"']);
    assert.deepEqual(await run('remove_label', { category: 'victim', label: 'v' }), [
      ['success', 'Executed Successfully'],
    ]);
    const { labels, log: after } = await stored(hit);
    assert.deepEqual([labels?.victim, after], [['x:y "z"'], log]);
  });

  it('name the alerts that have nothing to change', async () => {
    const [first, second] = [
      await opened.services.aHit(ana, { 'howler.labels.generic': ['x'] }),
      await opened.services.aHit(ana),
    ];
    const [added] = await opened.run(rae, 'add_label', { label: 'x' });
    assert.deepEqual([added?.outcome, added?.query], ['skipped', `(howler.id:(${first.howler.id}))`]);
    assert.deepEqual((await stored(second)).labels?.generic, ['x']);
    assert.deepEqual((await stored(first)).labels?.generic, ['x'], 'never twice');
    await opened.services.service.updateWhere(
      ana,
      `howler.id:${first.howler.id}`,
      [{ operation: 'SET', key: 'howler.labels.generic', value: [] }],
      { visible: 'now' },
    );
    const [removed] = await opened.run(rae, 'remove_label', { label: 'x' });
    assert.deepEqual([removed?.outcome, removed?.query], ['skipped', `(howler.id:(${first.howler.id}))`]);
    assert.deepEqual((await stored(second)).labels?.generic, []);
  });

  it('want a category and a label', async () => {
    assert.deepEqual(await run('add_label', { category: 'nope', label: 'x' }), [['error', 'Invalid Category']]);
    assert.deepEqual(await run('add_label', { category: 'toString', label: 'x' }), [['error', 'Invalid Category']]);
    assert.deepEqual(await run('remove_label', { label: '' }), [['error', 'Invalid Label']]);
  });
});

describe('prioritization', () => {
  it('sets one of five numbers', async () => {
    const hit = await opened.services.aHit(ana);
    for (const [field, value, number] of [
      ['reliability', '3', 3],
      ['severity', '-2.5', -2.5],
      ['volume', 1e3, 1000],
      ['score', undefined, 0],
    ] as const) {
      assert.deepEqual(await run('prioritization', { field, value }), [['success', 'Executed Successfully']]);
      assert.equal((await stored(hit))[field], number);
    }
    const [outcome] = await opened.run(rae, 'prioritization', { value: '42' });
    assert.match(outcome?.message ?? '', /^Field 'howler\.score' updated to value '42\.0'/);
  });

  it('takes no other field and no other value', async () => {
    const hit = await opened.services.aHit(ana);
    for (const field of ['hash', 'status', 'nope', '__proto__']) {
      assert.deepEqual(await run('prioritization', { field, value: '1' }), [['error', 'Invalid field']], field);
    }
    for (const value of ['abc', '', ' ', 'NaN', 'Infinity', '1e999', '1,5', true]) {
      assert.deepEqual(await run('prioritization', { value }), [['error', 'Invalid Value']], JSON.stringify(value));
    }
    assert.equal((await stored(hit)).score, 0);
  });
});

describe('change_field', () => {
  it('sets any field, read as the field reads it', async () => {
    const hit = await opened.services.aHit(ana);
    assert.deepEqual(await run('change_field', { field: 'source.port', value: '443' }, root), [
      ['success', 'Executed Successfully'],
    ]);
    assert.deepEqual(await run('change_field', { field: 'tags', value: ['a'] }, root), [
      ['success', 'Executed Successfully'],
    ]);
    const { document } = await opened.services.store.get(ana, hit.howler.id);
    assert.deepEqual([document.source?.port, document.tags], [443, ['a']]);
    await run('change_field', { field: 'source.port', value: null }, root);
    assert.equal((await opened.services.store.get(ana, hit.howler.id)).document.source?.port, undefined);
  });

  it('refuses fields that there are not or that never change, and values that do not fit', async () => {
    const hit = await opened.services.aHit(ana);
    const before = await opened.services.store.get(ana, hit.howler.id);
    for (const [given, title] of [
      [{ field: 'no.such', value: '1' }, 'Invalid field'],
      [{ value: '1' }, 'Invalid field'],
      [{ field: 'message' }, 'Invalid Value'],
      [{ field: 'source.port', value: 'x' }, 'Failed to Execute'],
      [{ field: 'howler.status', value: 'nope' }, 'Failed to Execute'],
      [{ field: 'tags', value: 'a' }, 'Failed to Execute'],
      [{ field: 'howler.id', value: 'x' }, 'Failed to Execute'],
      [{ field: 'classification', value: 'RESTRICTED' }, 'Failed to Execute'],
      [{ field: '__access_lvl__', value: 0 }, 'Invalid field'],
    ] as const) {
      assert.deepEqual(await run('change_field', given, root), [['error', title]], JSON.stringify(given));
    }
    assert.deepEqual(await opened.services.store.get(ana, hit.howler.id), before);
  });
});

describe('promote and demote', () => {
  const verdict = ({ status, escalation, assessment, rationale, triaged, assignment }: Hit['howler']) => ({
    status,
    escalation,
    assessment,
    rationale,
    triaged: triaged !== undefined,
    assignment,
  });

  it('set the escalation and take a verdict back, regardless of the status', async () => {
    const hit = await opened.services.aHit(ana);
    await run('promote', { escalation: 'evidence', assessment: 'recon', rationale: 'seen' });
    assert.deepEqual(verdict(await stored(hit)), {
      status: 'resolved',
      escalation: 'evidence',
      assessment: 'recon',
      rationale: 'seen',
      triaged: true,
      assignment: 'unassigned',
    });
    await run('promote', {});
    assert.deepEqual(verdict(await stored(hit)), {
      status: 'resolved',
      escalation: 'alert',
      assessment: undefined,
      rationale: undefined,
      triaged: false,
      assignment: 'unassigned',
    });
  });

  it('assign what is demoted by a verdict to who does it', async () => {
    const hit = await opened.services.aHit(ana);
    await run('demote', { escalation: 'miss', assessment: 'legitimate' });
    const { status, escalation, assessment, assignment } = await stored(hit);
    assert.deepEqual([status, escalation, assessment, assignment], ['resolved', 'miss', 'legitimate', 'rae']);
    assert.deepEqual(await run('demote', {}), [['success', 'Executed Successfully']]);
    assert.equal((await stored(hit)).escalation, 'hit');
    assert.deepEqual(await run('demote', {}), [
      ['skipped', 'Skipped Hit with Escalation'],
      ['success', 'Executed Successfully'],
    ]);
  });

  it('refuse other escalations, and verdicts without an assessment of that escalation', async () => {
    const hit = await opened.services.aHit(ana);
    const before = await stored(hit);
    for (const [id, given, title] of [
      ['promote', { escalation: 'miss', assessment: 'legitimate' }, 'Invalid Escalation'],
      ['promote', { escalation: 'odd' }, 'Invalid Escalation'],
      ['demote', { escalation: 'evidence', assessment: 'recon' }, 'Invalid Escalation'],
      ['promote', { escalation: 'evidence' }, 'Missing assessment'],
      ['demote', { escalation: 'miss', assessment: '' }, 'Missing assessment'],
      ['promote', { escalation: 'evidence', assessment: 'legitimate' }, 'Invalid Assessment'],
      ['demote', { escalation: 'miss', assessment: 'nope' }, 'Invalid Assessment'],
    ] as const) {
      assert.deepEqual(await run(id, given), [['error', title]], JSON.stringify(given));
    }
    assert.deepEqual(await stored(hit), before);
  });
});
