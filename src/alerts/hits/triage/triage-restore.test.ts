import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type AlertServices, anActor, openAlertServices } from '../../../testing/alerts/alert-services.ts';
import { applyTransition } from './hit-triage.ts';
import { restoreTriage, type TriageState } from './triage-restore.ts';

const ana = anActor();
const OPEN: TriageState = { status: 'open', assignment: 'unassigned', escalation: 'hit' };

let services: AlertServices;
before(async () => {
  services = await openAlertServices();
});
after(() => services.close());

const assess = (id: string) =>
  applyTransition(services.store, ana, id, 'assess', { assessment: 'recon', rationale: 'seen' }, { visible: 'now' });
const restore = (id: string, state: TriageState, ifMatch?: string) =>
  restoreTriage(services.store, ana, id, state, { ifMatch, visible: 'now' });

describe('a restored triage', () => {
  it('clears a verdict and logs what it changed, once', async () => {
    const { howler } = await services.aHit(ana);
    const judged = await assess(howler.id);
    const { document, version } = await restore(howler.id, OPEN, judged.version);
    const { status, assignment, escalation, assessment, rationale, triaged } = document.howler;
    assert.deepEqual(
      [status, assignment, escalation, assessment, rationale, triaged],
      ['open', 'unassigned', 'hit', undefined, undefined, undefined],
    );
    const logged = document.howler.log.slice(judged.document.howler.log.length);
    assert.deepEqual(
      logged.map(({ key, new_value, previous_version }) => [key, new_value, previous_version === judged.version]),
      [
        ['howler.status', 'open', true],
        ['howler.assignment', 'unassigned', true],
        ['howler.escalation', 'hit', true],
        ['howler.assessment', 'None', true],
        ['howler.triaged', 'None', true],
      ],
    );
    assert.equal((await restore(howler.id, OPEN)).version, version);
  });

  it('brings a verdict back with its time and its reason', async () => {
    const { howler } = await services.aHit(ana);
    const { document } = await assess(howler.id);
    const { status, assignment, escalation, assessment, rationale, triaged } = document.howler;
    await applyTransition(services.store, ana, howler.id, 're_evaluate', {}, { visible: 'now' });
    const state = { status, assignment, escalation, assessment, rationale, triaged } as TriageState;
    const restored = (await restore(howler.id, state)).document.howler;
    assert.deepEqual([restored.rationale, restored.triaged, restored.status], ['seen', triaged, 'resolved']);
  });

  it('is refused when the alert was changed since', async () => {
    const { howler } = await services.aHit(ana);
    const { version } = await assess(howler.id);
    await applyTransition(services.store, ana, howler.id, 're_evaluate', {}, { visible: 'now' });
    await assert.rejects(restore(howler.id, OPEN, version), { code: 'version_conflict' });
    assert.equal((await services.store.get(ana, howler.id)).document.howler.status, 'in-progress');
  });
});
